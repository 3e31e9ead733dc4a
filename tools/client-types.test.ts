import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { clientTypes, staleClientTypes } from './client-types.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }

const schemas = {
  Error: { type: 'object', properties: { error: text }, required: ['error'] },
  Message: {
    type: 'object',
    description: 'One message.',
    properties: {
      type: { type: 'string', enum: ['text', 'image'] },
      status: { type: 'string', enum: ['sent', 'read'] },
      meta: { description: 'Anything.' },
    },
    required: ['type', 'status'],
  },
  WebhookDelivery: {
    type: 'object',
    properties: { event_type: { type: 'string', enum: ['message.sent', 'message.read'] }, payload: { type: ['object', 'null'] } },
    required: ['event_type', 'payload'],
  },
  SendText: { type: 'object', properties: { type: { type: 'string', enum: ['text'] } }, required: ['type'], additionalProperties: true },
  SendReaction: { type: 'object', properties: { type: { type: 'string', enum: ['reaction'] } }, required: ['type'] },
  NotFoundError: { type: 'object', properties: { error: text } },
  Wanted: { type: 'array', items: { type: 'string', enum: ['message.sent', 'message.read', '*'] }, maxItems: 30 },
}
const contract = {
  components: { schemas },
  paths: {
    '/messages': {
      post: {
        operationId: 'sendMessage',
        summary: 'Send',
        requestBody: {
          required: true,
          ...json({ type: 'object', required: ['type'], discriminator: {}, oneOf: [ref('SendText'), ref('SendReaction')] }),
        },
        responses: {
          200: json({ type: 'object', properties: { emoji: text }, required: ['emoji'] }),
          202: json(ref('Message')),
          400: json(ref('Error')),
        },
      },
      get: {
        operationId: 'listMessages',
        parameters: [
          { in: 'query', name: 'limit', schema: { type: 'integer' }, description: 'How many.' },
          { in: 'query', name: 'wanted', schema: ref('Wanted') },
          { in: 'header', name: 'x', schema: text },
        ],
        responses: { 200: json({ type: 'array', items: ref('Message') }), 404: json(ref('NotFoundError')) },
      },
    },
    '/media/{id}': {
      post: {
        operationId: 'upload',
        parameters: [{ in: 'path', name: 'id', required: true, schema: text }],
        requestBody: { required: true, content: { 'multipart/form-data': { schema: { type: 'object' } } } },
        responses: { 201: json(ref('WebhookDelivery')) },
      },
    },
  },
}

test('a contract becomes types that can be read', async () => {
  const types = await clientTypes(JSON.stringify(contract))
  const declared = (name: string) => new RegExp(`export (interface|type) ${name} [\\s\\S]*?\\n(?=\\n|$)`).exec(types)?.[0].trim()
  // A choice of kinds is a union of their names, and a kind that lets fields through says so.
  expect(declared('SendMessageRequest')).toBe('export type SendMessageRequest = SendText | SendReaction')
  expect(declared('SendText')).toBe("export interface SendText {\n  type: 'text'\n  [k: string]: unknown\n}")
  // Choices that people speak of have names, also beside what else is allowed.
  expect(declared('MessageStatus')).toBe("export type MessageStatus = 'sent' | 'read'")
  expect(declared('Message')).toBe(
    'export interface Message {\n  type: MessageType\n  status: MessageStatus\n  /** Anything. */\n  meta?: unknown\n}',
  )
  expect(declared('Wanted')).toBe("export type Wanted = (EventType | '*')[]")
  expect(declared('WebhookDelivery')).toContain('payload: {\n    [k: string]: unknown\n  } | null')
  // No name hides one of TypeScript's own.
  expect(declared('ErrorEnvelope')).toBeDefined()
  expect(declared('Error')).toBeUndefined()
  // Single errors are told apart by their code.
  expect(declared('NotFoundError')).toBeUndefined()
  expect(declared('ListMessagesQuery')).toBe(
    'export interface ListMessagesQuery {\n  /** How many. */\n  limit?: number\n  wanted?: Wanted\n}',
  )
  expect(declared('Operations')).toBe(`export interface Operations {
  /** Send */
  'POST /messages': {
    body: SendMessageRequest
    answer:
      | {
          emoji: string
        }
      | Message
  }
  'GET /messages': {
    query?: ListMessagesQuery
    answer: Message[]
  }
  'POST /media/{id}': {
    path: {
      id: string
    }
    answer: WebhookDelivery
  }
}`)
  expect(types).not.toMatch(/referenced by|\n\n\n/)
})

test('a choice that the contract no longer has is told, not dropped', async () => {
  const { Message: _, ...others } = schemas
  await expect(clientTypes(JSON.stringify({ ...contract, components: { schemas: others } }))).rejects.toThrow()
})

test('types that are not those of the contract are told by npm run check', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'pombo-types-'))
  const types = join(copy, 'sdk/src/generated/contract.ts')
  await mkdir(dirname(types), { recursive: true })
  await cp(join(root, 'contract'), join(copy, 'contract'), { recursive: true })
  await cp(join(root, 'sdk/src/generated/contract.ts'), types)
  await cp(join(root, 'console/src/api/generated'), join(copy, 'console/src/api/generated'), { recursive: true })
  expect(await staleClientTypes(copy)).toEqual([])
  await writeFile(types, 'export type Message = string\n')
  expect(await staleClientTypes(copy)).toEqual([expect.stringContaining('npm run client-types')])
  await rm(copy, { recursive: true, force: true })
})
