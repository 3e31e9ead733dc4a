import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PlantedBug } from './bugs/planted-bug.ts'
import { plantedBugs } from './planted-bugs.ts'
import { copyTree, plantBug } from './planted-copy.ts'
import { endRun, runSuites, type SuitesEnded } from './run-suites.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The run that must end when this is ended from outside; its copy goes after it. */
let underWay: ChildProcess | null = null
let stopped = false

/** Plants one bug after the other, each in a copy of its own, and ends with 1 when the tests do not notice one of them. */
async function main(names: readonly string[]): Promise<boolean> {
  const unknown = names.filter((name) => !plantedBugs.some((bug) => bug.name === name))
  if (unknown.length > 0) {
    console.log(`There is no planted bug named ${unknown.join(', ')}. Names:\n${plantedBugs.map(({ name }) => `  ${name}`).join('\n')}`)
    return false
  }
  const chosen = plantedBugs.filter(({ name }) => names.length === 0 || names.includes(name))
  // A suite that fails anyway would catch everything.
  const without = await inCopy([...new Set(chosen.flatMap(({ caughtBy }) => caughtBy))], null)
  if (without.failed > 0 || without.passed === 0 || without.trouble !== null) {
    console.log(`Without any bug the suites must pass: ${without.trouble ?? without.failures.join('; ')}`)
    return false
  }
  console.log(`Without any bug ${without.passed} tests pass.`)
  let planted = 0
  let caught = 0
  for (const bug of chosen) {
    const ended = await inCopy(bug.caughtBy, bug)
    if (stopped) break
    planted += 1
    if (isCaught(ended)) caught += 1
    console.log(lineOf(bug, ended))
  }
  console.log(`${planted} planted, ${caught} caught${stopped ? `; stopped before the other ${chosen.length - planted}` : ''}`)
  return caught === chosen.length
}

async function inCopy(suites: readonly string[], bug: PlantedBug | null): Promise<SuitesEnded> {
  const { folder, remove } = copyTree(root)
  try {
    if (bug !== null) plantBug(folder, bug)
    return await runSuites(folder, suites, (run) => {
      underWay = run
    })
  } finally {
    underWay = null
    remove()
  }
}

/** A bug with which nothing passes any more is no small one: it says nothing of the tests. */
const isCaught = ({ failed, passed, trouble }: SuitesEnded) => failed > 0 && passed > 0 && trouble === null

function lineOf({ name, breaks, caughtBy }: PlantedBug, ended: SuitesEnded): string {
  const words = ended.trouble ?? (ended.passed === 0 ? 'nothing passes any more' : 'SURVIVED')
  const result = isCaught(ended) ? `${ended.failed} failing of ${ended.failed + ended.passed} tests` : words
  return `${name} · ${breaks} · ${caughtBy.join(', ')} · ${result}`
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopped = true
    if (underWay !== null) endRun(underWay)
  })
}
process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
