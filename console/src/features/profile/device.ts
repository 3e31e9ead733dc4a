const browsers = [
  ['Edge', /\bEdg(A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** What a browser says it is, in the names that people know; null for what is none of the usual ones. */
export function deviceOf(userAgent: string): { browser: string | null; system: string | null; isPhone: boolean } {
  const named = (names: readonly (readonly [string, RegExp])[]) => names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null
  return { browser: named(browsers), system: named(systems), isPhone: /\b(iPhone|Android|Mobile)\b/.test(userAgent) }
}
