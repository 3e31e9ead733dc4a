import { fastify } from 'fastify'

/** The least that a program with Fastify does at its start: one route, and it listens. Prints its address. */
const app = fastify()
app.get('/', async () => ({ ok: true }))
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.on('SIGTERM', () => process.exit(0))
console.log(JSON.stringify({ url }))
