import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Benchmark, Effort, Figure } from './benchmark.ts'
import { type Machine, machineText } from './machine.ts'
import { goalText, isMet, median, numberText } from './statistics.ts'

/** What one benchmark found; `failure` says why it found nothing. */
export type Result = {
  name: string
  title: string
  startedAt: string
  seconds: number
  effort: Effort
  machine: Machine
  figures: readonly Figure[]
  failure: string | null
}

const folder = join(import.meta.dirname, 'results')
const columns = ['what', 'median', 'min – max', 'goal', ''] as const

/** A result as a table of Markdown, which reads as well on a terminal. */
export function resultText({ name, title, machine, figures, failure, effort, seconds }: Result): string {
  const rows = figures.map(rowOf)
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((row) => (row[i] ?? '').length)))
  const line = (cells: readonly string[]) => `| ${widths.map((width, i) => (cells[i] ?? '').padEnd(width)).join(' | ')} |`
  const table = [line(columns), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)]
  const runs = `${effort.runs} runs, ${Math.round(seconds)} s${effort.quick ? '; **quick: these figures mean nothing**' : ''}`
  return [
    `## ${name} ${title}`,
    '',
    `${machineText(machine)}; ${runs}`,
    '',
    ...(failure === null ? table : [`Failed: ${failure}`]),
    '',
  ].join('\n')
}

function rowOf(figure: Figure): string[] {
  const { what, unit, values, goal } = figure
  const range = values.length > 1 ? `${numberText(Math.min(...values))} – ${numberText(Math.max(...values))}` : ''
  const met = isMet(figure)
  const verdict = met === null ? '' : met ? 'met' : 'MISSED'
  return [what, `${numberText(median(values))} ${unit}`.trim(), range, goal === null ? '' : `${goalText(goal)} ${unit}`.trim(), verdict]
}

/** Keeps a result as `<date>-<name>.json`, and all results of this start as `<date>.md`. */
export async function writeResults(date: string, results: readonly Result[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const result of results) {
    await writeFile(join(folder, `${date}-${result.name.toLowerCase()}.json`), `${JSON.stringify(result, null, 2)}\n`)
  }
  await writeFile(join(folder, `${date}.md`), `# Benchmarks of ${date}\n\n${results.map(resultText).join('\n')}`)
}

/** The names of the benchmarks and how long each takes. */
export function listText(benchmarks: readonly Benchmark[]): string {
  return benchmarks.map(({ name, title, minutes }) => `  ${name.padEnd(4)}${title} (about ${minutes} min)`).join('\n')
}
