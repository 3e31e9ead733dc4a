#!/usr/bin/env node
import { type Arguments, readArguments, usage } from './arguments.ts'
import { parseFaultRules } from './parse-faults.ts'
import { startSimulator } from './simulator.ts'

const asked = ask()
if (asked.help) {
  console.log(usage)
} else {
  const simulator = await startSimulator(asked.options)
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    void simulator.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // The parent holds the other end of this pipe. However it dies, the pipe closes, so no simulator is left behind.
  if (asked.withParent) process.stdin.on('end', end).on('error', end).resume()
  // Last, because whoever reads this line may end the program at once.
  console.log(JSON.stringify({ ready: true, url: simulator.url, seed: simulator.seed }))
}

function ask(): Arguments {
  try {
    return readArguments(process.argv.slice(2), parseFaultRules, process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(2)
  }
}
