/** Begins the names of all that this browser keeps for who has signed in. */
const prefix = 'pombo.kept '
const leaveTellers = new Set<() => void>()

/** What was kept under this name; null for nothing, and for what cannot be read any more. */
export function readKept<Value>(name: string): Value | null {
  const text = localStorage.getItem(prefix + name)
  if (text === null) return null
  try {
    return JSON.parse(text) as Value
  } catch {
    return null
  }
}

/** Keeps it over a reload, until `dropKept` or the sign-out. Where the browser has no room it is not kept, and works on without. */
export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // Full, or switched off: what is on the page is still there.
  }
}

export function dropKept(name: string): void {
  localStorage.removeItem(prefix + name)
}

/** The names that begin so. */
export function namesKept(beginning: string): string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix + beginning))
    .map((key) => key.slice(prefix.length))
}

/** Forgets all of it: whoever sits down here next finds nothing of what was written before. */
export function forgetKept(): void {
  for (const name of namesKept('')) dropKept(name)
  for (const tell of leaveTellers) tell()
}

/** Calls back at each `forgetKept`, for what also stands in memory. */
export function onForget(tell: () => void): void {
  leaveTellers.add(tell)
}
