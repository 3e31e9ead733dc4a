import type { TeamMessage } from '../../../api/generated/operations.ts'

/** What is loaded of a thread: a stretch without gaps, oldest first. */
export type ThreadState = {
  messages: readonly TeamMessage[]
  hasOlder: boolean
  hasNewer: boolean
  loading: 'first' | 'older' | 'newer' | null
  error: unknown
  /** How many have come meanwhile that are not loaded, as what is loaded does not go up to the newest. */
  missed: number
  /** Another number: the stretch is another one, not a longer one. */
  stretch: number
  /** Where a new stretch is to be shown; null: at its end. */
  center: { id: string; align: 'start' | 'center' } | null
}

export type Thread = {
  getState(): ThreadState
  subscribe(listener: () => void): () => void
  /** Shows the newest messages, or those around one. */
  open(around: string | null): Promise<void>
  loadOlder(): Promise<void>
  loadNewer(): Promise<void>
  /** Reads these anew, as far as they belong here. */
  refresh(ids: readonly string[]): Promise<void>
  /** Shows the newest messages, or those from one on, without a word: after changes that nobody tells one by one. */
  renew(around: string | null): Promise<void>
}

type Query = { limit?: number; before?: string; after?: string; around?: string }
/** `has_newer` comes with messages around one. */
type Page = { data: readonly TeamMessage[]; has_more: boolean; has_newer?: boolean }
type Deps = {
  read: (query: Query) => Promise<Page>
  /** Those of these messages that belong to the conversation, as they are now. */
  readById: (ids: readonly string[]) => Promise<readonly TeamMessage[]>
}

const pageSize = 50
/** So many are read anew by their ids in one call. */
const idsMax = 50

const empty: ThreadState = {
  messages: [],
  hasOlder: false,
  hasNewer: false,
  loading: null,
  error: null,
  missed: 0,
  stretch: 0,
  center: null,
}

/** The messages of one conversation as far as they are loaded, kept in order by their ids, which grow with time. */
export function createThread({ read, readById }: Deps): Thread {
  let state = empty
  const listeners = new Set<() => void>()
  const set = (change: Partial<ThreadState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  /** Answers that were asked for before the last `show` belong to another stretch. */
  let shown = 0
  /** What is under way: it may answer with what was before a change, so that the change waits for it. */
  let busy: Promise<void> = Promise.resolve()

  const show = (around: string | null, isQuiet: boolean): Promise<void> => {
    busy = showNow(around, isQuiet)
    return busy
  }

  async function showNow(around: string | null, isQuiet: boolean): Promise<void> {
    shown += 1
    const asked = shown
    if (!isQuiet) set({ loading: 'first', error: null })
    try {
      const page = await read(around === null ? { limit: pageSize } : { limit: pageSize, around })
      if (asked !== shown) return
      set({
        messages: inOrder(page.data),
        hasOlder: page.has_more,
        hasNewer: around !== null && page.has_newer === true,
        loading: null,
        error: null,
        missed: 0,
        stretch: state.stretch + 1,
        center: around === null ? null : { id: around, align: isQuiet ? 'start' : 'center' },
      })
    } catch (error) {
      if (asked === shown) set({ loading: null, error })
    }
  }

  async function extend(side: 'older' | 'newer', query: Query): Promise<void> {
    const asked = shown
    set({ loading: side, error: null })
    try {
      const page = await read({ limit: pageSize, ...query })
      if (asked !== shown) return
      const messages = merge(state.messages, page.data)
      set(
        side === 'older'
          ? { messages, hasOlder: page.has_more, loading: null }
          : { messages, hasNewer: page.has_more, missed: page.has_more ? state.missed : 0, loading: null },
      )
    } catch (error) {
      if (asked === shown) set({ loading: null, error })
    }
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open: (around) => show(around, false),
    renew: (around) => show(around, true),
    async loadOlder() {
      const [first] = state.messages
      if (state.loading !== null || !state.hasOlder || first === undefined) return
      busy = extend('older', { before: first.id })
      await busy
    },
    async loadNewer() {
      const last = state.messages.at(-1)
      if (state.loading !== null || !state.hasNewer || last === undefined) return
      busy = extend('newer', { after: last.id })
      await busy
    },
    async refresh(ids) {
      await busy
      const asked = shown
      for (let from = 0; from < ids.length; from += idsMax) {
        const read = await readById(ids.slice(from, from + idsMax))
        if (asked !== shown) return
        set(applied(state, read))
      }
    },
  }
}

/** What is loaded after some messages were read anew: replaced, added where the stretch reaches, or counted. Pure. */
function applied(state: ThreadState, read: readonly TeamMessage[]): Partial<ThreadState> {
  const loaded = new Set(state.messages.map((each) => each.id))
  const first = state.messages[0]?.id
  const last = state.messages.at(-1)?.id
  const isBeyond = (id: string) => state.hasNewer && (last === undefined || id > last)
  const isBefore = (id: string) => state.hasOlder && first !== undefined && id < first
  const fitting = read.filter((each) => loaded.has(each.id) || !(isBeyond(each.id) || isBefore(each.id)))
  const missed = read.filter((each) => !loaded.has(each.id) && isBeyond(each.id) && each.direction === 'inbound').length
  return { messages: fitting.length === 0 ? state.messages : merge(state.messages, fitting), missed: state.missed + missed }
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
const inOrder = (messages: readonly TeamMessage[]) => messages.toSorted(byId)

/** Both, each message once, the second's where both have it. */
function merge(known: readonly TeamMessage[], more: readonly TeamMessage[]): TeamMessage[] {
  const all = new Map(known.map((each) => [each.id, each]))
  for (const each of more) all.set(each.id, each)
  return inOrder([...all.values()])
}
