import { request } from 'undici'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Config } from '../config.ts'
import { parsed } from '../platform/upstream/graph.ts'

/** What answers at the configured address. `stranger`: something that is not a gateway. */
export type GatewayState =
  | { kind: 'ready'; isBehindUnknownProxy: boolean }
  | { kind: 'not_ready'; failing: string }
  | { kind: 'silent' }
  | { kind: 'stranger' }

const answerMsMax = 3_000

/** Asks the gateway of this machine whether it is ready. */
export async function askGateway(config: Config): Promise<GatewayState> {
  try {
    const { statusCode, body } = await request(`${localAddress(config)}/ready`, { signal: AbortSignal.timeout(answerMsMax) })
    const answer = parsed(await body.text())
    if (!isObject(answer) || !isObject(answer.checks)) return { kind: 'stranger' }
    return statusCode === 200
      ? { kind: 'ready', isBehindUnknownProxy: hasNote(answer.checks.proxy) }
      : { kind: 'not_ready', failing: failingChecks(answer.checks) }
  } catch (error) {
    const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
    return refused ? { kind: 'silent' } : { kind: 'stranger' }
  }
}

/** A gateway that listens everywhere also listens on loopback. */
function localAddress({ host, port }: Config): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
  return `http://${everywhere[host] ?? (host.includes(':') ? `[${host}]` : host)}:${port}`
}

const hasNote = (outcome: Json | undefined): boolean => isObject(outcome) && outcome.note !== undefined

function failingChecks(checks: JsonObject): string {
  return Object.entries(checks)
    .filter(([, outcome]) => isObject(outcome) && outcome.ok !== true)
    .map(([name, outcome]) => (isObject(outcome) && typeof outcome.note === 'string' ? `${name} (${outcome.note})` : name))
    .join(', ')
}
