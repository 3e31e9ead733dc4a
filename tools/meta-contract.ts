import { readFile } from 'node:fs/promises'
import { startSimulator } from '../simulator/src/simulator.ts'
import { playGateway } from './meta-contract/gateway-exchanges.ts'
import { judge, type NodeOf, type Verdict } from './meta-contract/judge.ts'
import { knownDifferences } from './meta-contract/known-differences.ts'
import { readOpenApi } from './meta-contract/openapi.ts'
import { playPlainCalls } from './meta-contract/plain-exchanges.ts'
import { startRecorder } from './meta-contract/recorder.ts'

// npm run meta-contract -- FILE
// Compares what passes between a business or the gateway and the simulator with Meta's OpenAPI file, which is not part of this project.
// Ends with 1 when there is a difference that docs/upstream-differences.md does not have.

const documentUrl = new URL('../docs/upstream-differences.md', import.meta.url)
const number = {
  phoneNumberId: '118350927764405',
  wabaId: '204817396550128',
  displayDigits: '15550104477',
  token: 'token-one',
  subscribed: true,
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error("Give the path of Meta's OpenAPI file: npm run meta-contract -- FILE")
  process.exitCode = 2
} else {
  await main(file)
}

async function main(openApiFile: string): Promise<void> {
  const api = await readOpenApi(openApiFile)
  // A second number, so that a list of one each has a next page. Without templates of their own the numbers have the usual ones.
  const numbers = [number, { ...number, phoneNumberId: '118350927764999', displayDigits: '15550104488' }]
  const simulator = await startSimulator({ numbers, statusGapMs: 0 })
  const recorder = await startRecorder(simulator.url)
  try {
    await playPlainCalls(recorder, simulator, number)
    const refused = await playGateway(recorder, simulator)
    const wabas = new Set(['204817396550128'])
    const nodeOf: NodeOf = (id) => {
      if (id.startsWith('118350')) return '{Phone-Number-ID}'
      if (wabas.has(id) || id.startsWith('2048173')) return '{WABA-ID}'
      return simulator.calls.some((call) => call.id === id && call.call.startsWith('media')) ? '{Media-ID}' : '{TEMPLATE_ID}'
    }
    await tell(judge(api, recorder.exchanges, nodeOf), refused)
  } finally {
    await recorder.close()
    await simulator.close()
  }
}

async function tell({ findings, compared, unknown }: Verdict, refused: readonly string[]): Promise<void> {
  const known = knownDifferences(await readFile(documentUrl, 'utf8'))
  const isKnown = (each: { where: string; what: string }) => known.some(({ where, what }) => where === each.where && what === each.what)
  const isSeen = (each: { where: string; what: string }) => findings.some(({ where, what }) => where === each.where && what === each.what)
  const fresh = findings.filter((each) => !isKnown(each))
  for (const { where, what, labels } of fresh)
    console.log(`new: ${where}: ${what}   (${labels.slice(0, 3).join(', ')}${labels.length > 3 ? ', …' : ''})`)
  for (const { where, what } of known.filter((each) => !isSeen(each))) console.log(`no longer seen: ${where}: ${what}`)
  for (const call of unknown) console.log(`not compared, because the file or the simulator does not have it: ${call}`)
  for (const sentence of refused) console.log(`not done by the gateway: ${sentence}`)
  console.log(`${compared} bodies compared, ${findings.length} differences, ${fresh.length} of them new`)
  if (fresh.length > 0) process.exitCode = 1
}
