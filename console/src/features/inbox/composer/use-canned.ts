import { type KeyboardEvent, useState } from 'react'
import { useRead } from '../../../api/account.ts'
import type { Answer } from '../../../api/client.ts'

export type CannedAnswer = Answer<'GET /account/canned-answers'>['data'][number]

const shownMax = 20

/** What `/` at the start of a text asks for. Null: nothing. */
function queryOf(text: string): string | null {
  return /^\/([^\s/]{0,40})$/.exec(text)?.[1]?.toLowerCase() ?? null
}

export type Canned = {
  /** Those that fit; null: the list is shut. */
  answers: readonly CannedAnswer[] | null
  active: number
  /** True when the key was for the list. */
  onKey: (event: KeyboardEvent) => boolean
}

/** The list of canned answers below what is typed, moved in by the arrow keys, taken from by Enter or Tab, shut by Escape. */
export function useCanned(text: string, onPick: (answer: CannedAnswer) => void): Canned {
  const query = queryOf(text)
  const read = useRead('GET /account/canned-answers', {}, { enabled: query !== null, staleTime: 60_000 })
  const [moved, setMoved] = useState({ query: '', active: 0 })
  const [shut, setShut] = useState<string | null>(null)
  const fitting = query === null || shut === text ? [] : fittingIn(read.data?.data ?? [], query)
  if (fitting.length === 0) return { answers: null, active: 0, onKey: () => false }
  // What was typed since has begun the list anew.
  const active = moved.query === query ? Math.min(moved.active, fitting.length - 1) : 0
  return {
    answers: fitting,
    active,
    onKey(event) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const chosen = fitting[active]
      if (step !== undefined) setMoved({ query: query ?? '', active: (active + step + fitting.length) % fitting.length })
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && chosen !== undefined) onPick(chosen)
      else if (event.key === 'Escape') setShut(text)
      else return false
      event.preventDefault()
      return true
    },
  }
}

function fittingIn(answers: readonly CannedAnswer[], query: string): CannedAnswer[] {
  const begins = (answer: CannedAnswer) => answer.shortcut.toLowerCase().startsWith(query)
  return answers
    .filter((each) => begins(each) || each.shortcut.toLowerCase().includes(query))
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)) || one.shortcut.localeCompare(other.shortcut))
    .slice(0, shownMax)
}
