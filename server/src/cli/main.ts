import { systemClock } from '../base/clock.ts'
import { runTool } from './run-tool.ts'
import { processSecrets } from './secret-input.ts'

process.exitCode = await runTool({
  argv: process.argv.slice(2),
  env: process.env,
  clock: systemClock(),
  secrets: processSecrets(process.stdin, process.stderr),
  write: (line) => process.stdout.write(`${line}\n`),
  note: (line) => process.stderr.write(`${line}\n`),
})
