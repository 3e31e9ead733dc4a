import { type Static, Type } from 'typebox'
import { formatId } from '../../base/id.ts'
import { type ApiKey, type Scope, scopes } from './key.ts'

/** The greatest length of a key's name. */
const nameCharsMax = 60

const textOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const timeOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const scope = Type.Unsafe<Scope>({ type: 'string', enum: scopes })
const scopesOrNull = Type.Unsafe<Scope[] | null>({ type: ['array', 'null'], items: scope, description: 'Null: all of them.' })

const properties = {
  id: Type.String(),
  object: Type.Literal('api_key'),
  account_id: Type.String(),
  name: textOrNull('What the team calls it.'),
  hint: textOrNull('The last four characters of the key; null: it is older than this.'),
  livemode: Type.Boolean(),
  scopes: scopesOrNull,
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: timeOrNull('To the minute; null: never.'),
  revoked_at: timeOrNull('Null: it is active.'),
}

export const apiKeySchema = Type.Object(properties)
/** The only answer that ever holds the secret. */
export const apiKeyWithSecretSchema = Type.Object({ ...properties, key: Type.String({ description: 'Shown only here.' }) })

export const createApiKeySchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: nameCharsMax }),
    livemode: Type.Boolean({ description: 'False: a test key, which sends nothing.' }),
    scopes: Type.Unsafe<Scope[] | null>({
      type: ['array', 'null'],
      items: scope,
      minItems: 1,
      uniqueItems: true,
      description: 'What it may do; null: everything.',
    }),
  },
  { additionalProperties: false },
)

export type ApiKeyJson = Static<typeof apiKeySchema>

/** A key as the console and the operator's tool show it, without its secret. */
export function apiKeyJson(key: ApiKey): ApiKeyJson {
  return {
    id: formatId('key', key.id),
    object: 'api_key',
    account_id: formatId('acc', key.accountId),
    name: key.name,
    hint: key.hint,
    livemode: key.livemode,
    scopes: key.scopes === null ? null : [...key.scopes],
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}
