import { systemClock } from '../base/clock.ts'
import { runTool } from './run-tool.ts'

process.exitCode = await runTool({
  argv: process.argv.slice(2),
  env: process.env,
  clock: systemClock(),
  write: (line) => process.stdout.write(`${line}\n`),
  note: (line) => process.stderr.write(`${line}\n`),
})
