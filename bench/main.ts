import { parseArgs } from 'node:util'
import type { Benchmark, Effort, Figure } from './benchmark.ts'
import { benchmarks } from './benchmarks.ts'
import { describeMachine } from './machine.ts'
import { listText, type Result, resultText, writeResults } from './report.ts'
import { endEverything } from './stage/end-everything.ts'
import { postgresVersion } from './stage/postgres.ts'
import { stallFigures } from './stage/stalls.ts'

// `npm run bench` runs all of them, `npm run bench -- P1 P4` some. It tells how fast the product is beside baselines that run in
// the same minute, and never fails because something is slow: read the ratios.
await main()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      quick: { type: 'boolean', default: false },
      messages: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const names = positionals.map((name) => name.toUpperCase())
  const unknown = names.filter((name) => !benchmarks.some((each) => each.name === name))
  const effort = {
    runs: Number(values.runs ?? (values.quick ? 1 : 5)),
    quick: values.quick,
    messages: Number(values.messages ?? 10_000_000),
  }
  if (values.help || unknown.length > 0 || !(effort.runs >= 1 && effort.runs <= 100) || !(effort.messages >= 200_000)) {
    console.log(`npm run bench -- [NAME…] [--runs N] [--quick] [--messages N]\n\n${listText(benchmarks)}`)
    process.exitCode = values.help ? 0 : 2
    return
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endEverything().finally(() => process.exit(130)))
  await runAll(
    benchmarks.filter(({ name }) => names.length === 0 || names.includes(name)),
    effort,
  )
}

async function runAll(chosen: readonly Benchmark[], effort: Effort): Promise<void> {
  const date = new Date().toISOString().slice(0, 16).replace(':', '')
  const postgres = await postgresVersion()
  const results: Result[] = []
  try {
    for (const benchmark of chosen) {
      const result = await runOne(benchmark, effort, postgres)
      console.log(resultText(result))
      results.push(result)
      await writeResults(date, results)
    }
  } finally {
    await endEverything()
  }
  const failed = results.filter((each) => each.failure !== null).map((each) => each.name)
  console.log(failed.length === 0 ? `Written to bench/results/${date}.md` : `These found nothing: ${failed.join(', ')}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

async function runOne(benchmark: Benchmark, effort: Effort, postgres: string): Promise<Result> {
  const { name, title } = benchmark
  const startedMs = performance.now()
  const facts = { name, title, startedAt: new Date().toISOString(), effort, machine: describeMachine(postgres) }
  let figures: readonly Figure[] = []
  let failure: string | null = null
  try {
    figures = await benchmark.run(effort)
    figures = [...figures, ...stallFigures()]
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  return { ...facts, seconds: (performance.now() - startedMs) / 1_000, figures, failure }
}
