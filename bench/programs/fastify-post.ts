import { fastify } from 'fastify'
import { SendMessageRequest, sendSchemas } from '../../server/src/features/messages/send-wire.ts'
import { ownKeywords } from '../../server/src/platform/http/validation.ts'

/** B3: Fastify with the schema of a send, which checks the body and answers. No key, no database. Prints its address. */
const app = fastify({ ajv: { customOptions: { discriminator: true, keywords: ownKeywords } } })
for (const schema of sendSchemas) app.addSchema(schema)
app.post('/v1/messages', { schema: { body: SendMessageRequest } }, async (_request, reply) =>
  reply.code(202).send({ id: 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f', object: 'message', status: 'queued' }),
)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', () => process.exit(0))
console.log(JSON.stringify({ url }))
