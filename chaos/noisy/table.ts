import { type Floors, ratioOf, whats } from './judge.ts'
import type { Played } from './play.ts'

const columns = ['who', 'resource', 'send', 'event', 'console', 'failed', 'stall', ''] as const

/** What was found as a table of Markdown: each figure is a p99 in ms alone, beside, and how many times that is. */
export function tableOf(played: readonly Played[], floors: Floors): string {
  const rows = played.map(({ scenario, alone, beside, stallMs, problems }) => [
    scenario.name,
    scenario.resource,
    ...whats.map((what) => `${ms(alone[what].p99Ms)} → ${ms(beside[what].p99Ms)} (${ratioOf(what, alone, beside, floors).toFixed(1)})`),
    String(beside.failed),
    stallMs === null ? '' : `${ms(stallMs)} ms`,
    problems.length === 0 ? 'held' : problems.join('; '),
  ])
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => (row[i] ?? '').length)))
  const line = (cells: readonly string[]) => `| ${widths.map((width, i) => (cells[i] ?? '').padEnd(width)).join(' | ')} |`
  return [line(columns), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}

const ms = (value: number) => (Number.isFinite(value) ? String(Math.round(value)) : '∞')
