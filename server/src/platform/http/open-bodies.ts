import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route that streams its body: how much of it is in memory at once. Left out: all of it. */
    bodyBytesHeld?: number
  }
}

const bytesMaxDefault = 64 * 1024 * 1024

/** More is being read and worked on than memory is meant for. */
export class TooManyOpenBodies extends Error {
  constructor() {
    super('too many large bodies are open at once')
  }
}

/**
 * Bounds what bodies hold in memory, from before the first byte is read until the answer has gone: a crowd of large ones is refused, and
 * repeats, where it would end the process. A body that does not say its length counts as the largest that its route reads.
 */
export function boundOpenBodies(app: FastifyInstance, bytesMax = bytesMaxDefault): void {
  let open = 0
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (length === undefined && encoding === undefined) return done(null, payload)
    const { bodyLimit, config } = request.routeOptions
    const held = config.bodyBytesHeld ?? bodyLimit
    const bytes = Math.min(length === undefined ? held : Number(length), held)
    // One is always read, however large it may be.
    if (open > 0 && open + bytes > bytesMax) return done(new TooManyOpenBodies())
    open += bytes
    // Also where the caller hung up.
    reply.raw.once('close', () => {
      open -= bytes
    })
    done(null, payload)
  })
}
