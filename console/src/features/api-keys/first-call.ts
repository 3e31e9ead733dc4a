import type { NewKey, Scope } from './key.ts'

const reads: readonly (readonly [scope: Scope, path: string])[] = [
  ['messages:read', '/v1/messages?limit=5'],
  ['channels:read', '/v1/channels'],
  ['templates:read', '/v1/templates'],
  ['usage:read', '/v1/usage'],
  ['webhooks:write', '/v1/webhooks'],
  ['opt_outs:write', '/v1/marketing-opt-outs'],
]

/** A command to paste that this key may call. Null: there is none for what it is allowed. */
export function firstCall({ key, scopes }: Pick<NewKey, 'key' | 'scopes'>, origin: string): string | null {
  const may = (scope: Scope) => scopes === null || scopes.includes(scope)
  if (may('messages:send')) return send(key, origin)
  const path = reads.find(([scope]) => may(scope))?.[1]
  return path === undefined ? null : [`curl '${origin}${path}'`, `-H 'Authorization: Bearer ${key}'`].join(continued)
}

const continued = ' \\\n  '

const send = (key: string, origin: string) =>
  [
    `curl '${origin}/v1/messages'`,
    `-H 'Authorization: Bearer ${key}'`,
    "-H 'Content-Type: application/json'",
    "-H 'Idempotency-Key: 1'",
    `-d '{"to": "+55 11 98765-4321", "type": "text", "text": {"body": "Olá!"}}'`,
  ].join(continued)
