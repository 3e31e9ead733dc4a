import { AjvCompiler } from '@fastify/ajv-compiler'
import fc, { type Arbitrary } from 'fast-check'
import { nameOfAnswer } from '../../../tools/contract-answers.ts'
import type { Document } from '../support/contract.ts'
import type { TestGateway } from '../support/gateway.ts'
import { createClient } from './client.ts'
import { judge } from './judge.ts'
import { type Operation, operationsOf } from './operations.ts'
import { exchange, judgeRaw, rawBytes } from './raw.ts'
import type { FuzzRequest } from './request.ts'
import { requestsOf } from './requests.ts'
import { createWorld } from './world.ts'

/** As many requests for each operation, or as long as that. */
export type FuzzBudget = { runs: number } | { seconds: number }

export type FuzzReport = {
  requests: number
  /** How often each answer of the contract was seen, by its name. */
  reached: ReadonlyMap<string, number>
  /** What went against the contract, each shrunk to a small request. */
  faults: readonly string[]
}

const linesOfEach = 4

/** How often a fault is made smaller: it should be readable, and found again soon. */
const shrinksMax = 100

/** Requests after which the account gets back what was deleted. */
const refreshAfter = 60

/** Sends made-up requests of every operation, all operations side by side, and judges each answer. The seed repeats the requests. */
export async function fuzz(gateway: TestGateway, seed: number, budget: FuzzBudget): Promise<FuzzReport> {
  const { document } = gateway.contract
  const world = await createWorld(gateway)
  const client = createClient(gateway.url)
  const reached = new Map<string, number>()
  let requests = 0
  const sources = { document, hints: world.hints, mends: world.mends, existing: world.existing, fits: bodyFits(document) }
  const send = (operation: Operation) => async (asked: FuzzRequest) => {
    requests += 1
    if (requests % refreshAfter === 0) await world.refresh()
    const headers = { authorization: `Bearer ${await world.keyFor({ form: operation.body?.form === true })}`, ...asked.headers }
    const answer = await client.send({ ...asked, headers }).catch((error: unknown) => {
      throw new Error(`${words(asked)}\n  ${String(error)}`)
    })
    try {
      const name = judge(gateway.contract, asked, answer) ?? nameOfAnswer({ method: asked.method, path: '/…', status: answer.status })
      reached.set(name, (reached.get(name) ?? 0) + 1)
    } catch (error) {
      throw new Error(`${words(asked)}\n  answered ${answer.status} ${answer.text.slice(0, 500)}\n  ${String(error)}`)
    }
  }
  const sendBytes = async (bytes: Buffer) => {
    requests += 1
    judgeRaw(await exchange(Number(new URL(gateway.url).port), bytes))
  }
  const operations = operationsOf(document)
  const searches = [
    firstFault({ name: 'bytes', inputs: rawBytes, work: sendBytes }, seed, budget),
    ...operations.map((operation, i) =>
      firstFault(
        { name: operation.name, inputs: requestsOf(sources, operation), work: send(operation) },
        seed + (i + 1) * linesOfEach,
        budget,
      ),
    ),
  ]
  try {
    const found = await Promise.all(searches)
    return { requests, reached, faults: found.filter((fault) => fault !== null) }
  } finally {
    client.close()
    world.close()
  }
}

type Search<Input> = { name: string; inputs: Arbitrary<Input>; work: (input: Input) => Promise<void> }

/** An operation may take its time over each answer, so some lines ask side by side. */
async function firstFault<Input>(search: Search<Input>, seed: number, budget: FuzzBudget): Promise<string | null> {
  const share = 'runs' in budget ? { runs: Math.ceil(budget.runs / linesOfEach) } : budget
  const lines = Array.from({ length: linesOfEach }, (_line, i) => firstFaultOfLine(search, seed + i, share))
  return (await Promise.all(lines)).find((fault) => fault !== null) ?? null
}

/** The first input for which the work throws, made smaller, in words; null when there is none within the budget. */
async function firstFaultOfLine<Input>({ name, inputs, work }: Search<Input>, seed: number, budget: FuzzBudget): Promise<string | null> {
  let left = Number.POSITIVE_INFINITY
  let smallest = ''
  const property = fc.asyncProperty(inputs, async (input) => {
    if (left === 0) return
    left -= 1
    await work(input).catch((error: unknown) => {
      left = Math.min(left, shrinksMax)
      smallest = `${String(error)}${Buffer.isBuffer(input) ? `\n  ${JSON.stringify(input.toString('latin1'))}` : ''}`
      throw error
    })
  })
  const bounds = 'runs' in budget ? { numRuns: budget.runs } : { numRuns: 1e9, interruptAfterTimeLimit: budget.seconds * 1_000 }
  const { failed, numRuns } = await fc.check(property, { seed, ...bounds })
  return failed ? `${name} (request ${numRuns} of its line): ${smallest}` : null
}

function words({ what, method, path, headers, body, expected }: FuzzRequest): string {
  const text = body === null ? '' : JSON.stringify(body.toString()).slice(0, 1_000)
  const wanted = expected.kind === 'refused' ? `refused at ${expected.field}` : expected.kind
  return `${what}, ${wanted}: ${method} ${path} ${JSON.stringify(headers)} ${text}`
}

/** Says whether a body fits the document as it is published, without what the test's judge adds. */
function bodyFits(document: Document): (operation: Operation, body: unknown) => boolean {
  const compile = AjvCompiler()(
    { contract: { ...document, $id: 'contract' } },
    { customOptions: { strict: false, coerceTypes: false, removeAdditional: false, useDefaults: false } },
  )
  const checks = new Map<Operation, ReturnType<typeof compile>>()
  return (operation, body) => {
    const check =
      checks.get(operation) ?? compile({ schema: withRoot(operation.body?.schema ?? noFields), method: '', url: '', httpPart: '' })
    checks.set(operation, check)
    return body === undefined ? operation.body?.required !== true : check(body) === true
  }
}

const noFields = { type: 'object', properties: {}, additionalProperties: false }

/** With its references led to the document. */
const withRoot = (schema: object): object => JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/'))
