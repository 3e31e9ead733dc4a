import type { AddressInfo } from 'node:net'
import multipart from '@fastify/multipart'
import fastify from 'fastify'
import { controlRoutes } from './control.ts'
import { faceOf, type Simulator } from './face.ts'
import { graphRoutes } from './graph.ts'
import { mediaBytesMax } from './media-types.ts'
import { type SimulatorOptions, settingsOf } from './settings.ts'
import { createWorld } from './world.ts'

export type { PostResult, Signing } from './callback-target.ts'
export type { CallRecord, GraphCall } from './calls.ts'
export type { CodeFacts, CodePlace } from './codes.ts'
export type { Simulator } from './face.ts'
export type { Fault, FaultMatch, FaultRule } from './faults.ts'
export type { HandshakeResult } from './handshake.ts'
export type { InboundHead, InboundInput, InboundResult } from './inbound.ts'
export type { InboundContent, InboundFile } from './inbound-content.ts'
export type { MediaInput } from './media-commands.ts'
export type { MediaFile } from './media-store.ts'
export type { NumberDetails, NumberOptions, NumberState } from './numbers.ts'
export type { PostOptions, Undelivered } from './outbox.ts'
export type { Replacements } from './raw-notice.ts'
export type { NoticeRecord, SendRecord } from './record.ts'
export type { ReactionRecord, ReadRecord } from './send-views.ts'
export type { Behaviour, OutboxLimits, SimulatorOptions } from './settings.ts'
export type { StatusInput } from './status-command.ts'
export type { Template, TemplateOptions } from './templates.ts'
export type { PairLimit } from './throughput.ts'
export type { WabaState } from './waba-fields.ts'

const BODY_BYTES_MAX = 3 * 1024 * 1024

/** Starts a simulator; when this resolves it listens. The caller closes it. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = settingsOf(options)
  // Open connections are cut at the close: some hang on purpose.
  const app = fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true, routerOptions: { maxParamLength: 600 } })
  const urlOf = () => `http://${settings.host}:${(app.server.address() as AddressInfo).port}` // an address of TCP is always this
  const world = createWorld(settings, options, urlOf)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  // One byte more than any file may have, so that one of exactly the most is not cut.
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: mediaBytesMax + 1, files: 1, fields: 10, fieldSize: 1024 },
  })
  const simulator = faceOf(world, settings.seed, app)
  controlRoutes(app, simulator, world)
  graphRoutes(app, world)
  await app.listen({ host: settings.host, port: settings.port })
  return simulator
}
