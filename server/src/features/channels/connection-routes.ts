import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { parseId, type Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { SecretKey } from '../../base/seal.ts'
import { answer } from '../../platform/http/answer.ts'
import { tellDeed } from '../../platform/http/deed.ts'
import { listOf } from '../../platform/http/paging.ts'
import { errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import type { Channel } from './channel.ts'
import { type CheckDeps, checkNumber } from './check-numbers.ts'
import { findToCheck } from './check-store.ts'
import { type ConnectInput, connectByStep } from './connect.ts'
import { connectionFactsSchema, connectionSchema, connectSchema, newTokenSchema } from './connection-wire.ts'
import { disconnectChannel } from './set-token.ts'
import { type ShownStep, stepsOfCheck, stepsOfConnecting } from './shown-steps.ts'
import { findChannelOf, listChannels } from './store.ts'
import { channelDetailsJson, channelDetailsSchema } from './wire.ts'

type Deps = Omit<CheckDeps, 'appId'> & {
  secretKey: SecretKey
  /** What must be entered at Meta, and our app there. */
  connection: { noticesUrl: string; verifyToken: string | null; appId: string | null }
}

const reads = { access: { scope: 'channels:read', testKeys: true } }
// Numbers are never test numbers: what is done to them is for real.
const writes = { access: { scope: 'channels:write', testKeys: false } }
const tags = ['Channels']
const params = Type.Object({ id: Type.String() })

/** What the team does with its numbers; of the console alone. A token goes in and never comes out. */
export function connectionRoutes(account: HttpServer, deps: Deps): void {
  readRoutes(account, deps)
  connectRoutes(account, deps)
  changeRoutes(account, deps)
}

function readRoutes(account: HttpServer, { database, connection }: Deps): void {
  account.get(
    '/channels/details',
    {
      config: reads,
      schema: {
        operationId: 'listChannelDetails',
        summary: 'All numbers with everything that is known of them, oldest first',
        tags,
        response: { 200: listOf(channelDetailsSchema), ...errors() },
      },
    },
    async ({ caller }) => ({
      object: 'list' as const,
      data: (await listChannels(database, caller.accountId)).map(channelDetailsJson),
      has_more: false,
    }),
  )

  account.get(
    '/channels/connection-facts',
    {
      config: { access: { scope: 'channels:write', testKeys: true } },
      schema: {
        operationId: 'getConnectionFacts',
        summary: 'What must be entered in the app at Meta',
        tags,
        response: { 200: connectionFactsSchema, ...errors() },
      },
    },
    async () => ({
      object: 'connection_facts' as const,
      notices_url: connection.noticesUrl,
      verify_token: connection.verifyToken,
      app_id: connection.appId,
    }),
  )
}

function connectRoutes(account: HttpServer, deps: Deps): void {
  account.post(
    '/channels',
    {
      config: writes,
      schema: {
        operationId: 'connectChannel',
        summary: 'Connect a number, step by step; a step that fails is told in the answer, and it may be repeated',
        tags,
        body: connectSchema,
        response: { 200: connectionSchema, ...errors(404, 'conflict') },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const { phone_number_id: phoneNumberId, waba_id: wabaId, token, pin = null } = body
      const connected = await connect(deps, { accountId: caller.accountId, phoneNumberId, wabaId, token, pin })
      tellConnection(request, connected, { number: phoneNumberId })
      return answer(reply, connected)
    },
  )

  account.post(
    '/channels/:id/token',
    {
      config: writes,
      schema: {
        operationId: 'setChannelToken',
        summary: 'Give a number another token, which is tried first: the number is connected again with it',
        tags,
        params,
        body: newTokenSchema,
        response: { 200: connectionSchema, ...errors(404, 'conflict') },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const channel = await ownChannel(deps, caller.accountId, params.id)
      if (!channel.ok) return answer(reply, channel)
      const { accountId, phoneNumberId, wabaId } = channel.value
      const connected = await connect(deps, { accountId, phoneNumberId, wabaId, token: body.token, pin: null })
      tellConnection(request, connected, { number: channel.value.phone ?? phoneNumberId })
      return answer(reply, connected)
    },
  )
}

function changeRoutes(account: HttpServer, deps: Deps): void {
  account.post(
    '/channels/:id/check',
    {
      config: { ...writes, isUnaudited: true },
      schema: {
        operationId: 'checkChannel',
        summary: 'Ask upstream now how the number is, step by step',
        tags,
        params,
        response: { 200: connectionSchema, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const channel = await ownChannel(deps, caller.accountId, params.id)
      return answer(reply, channel.ok ? ok(await checkNow(deps, channel.value)) : channel)
    },
  )

  account.delete(
    '/channels/:id',
    {
      config: writes,
      schema: {
        operationId: 'disconnectChannel',
        summary: 'Forget the token of a number: nothing is sent by it until it is connected again',
        tags,
        params,
        response: { 200: channelDetailsSchema, ...errors(404) },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const channel = await ownChannel(deps, caller.accountId, params.id)
      if (!channel.ok) return answer(reply, channel)
      tellDeed(request, { number: channel.value.phone ?? channel.value.phoneNumberId })
      const disconnected = await disconnectChannel(deps, channel.value.id)
      return answer(reply, disconnected.ok ? ok(channelDetailsJson(disconnected.value)) : disconnected)
    },
  )
}

const notFound = refused(refusal('not_found', because('no_channel', 'There is no channel with this id.')))

/** A channel never changes its account, so that what is looked up here stays true. */
async function ownChannel({ database }: Deps, accountId: Uuid, text: string): Promise<Result<Channel, Refusal>> {
  const id = parseId('ch', text)
  const channel = id === null ? null : await findChannelOf(database, accountId, id)
  return channel === null ? notFound : ok(channel)
}

/** Refused where nothing was tried: input that cannot be right, or somebody else's number. */
async function connect(deps: Deps, input: ConnectInput): Promise<Result<ReturnType<typeof connectionJson>, Refusal>> {
  const connecting = await connectByStep({ ...deps, appId: deps.connection.appId }, input)
  const { result, failed } = connecting
  if (!result.ok && failed === null) return result
  return ok(connectionJson(result.ok ? result.value : null, stepsOfConnecting(connecting)))
}

/** A connection that was refused at a step is answered too: nothing was changed, and the audit log says so. */
function tellConnection(request: FastifyRequest, connected: Result<Connection, Refusal>, { number }: { number: string }): void {
  if (!connected.ok) return
  const { channel, steps } = connected.value
  const failed = steps.find((step) => step.outcome === 'failed')
  tellDeed(request, { number: channel?.phone ?? number, step: failed?.step }, failed !== undefined)
}

type Connection = ReturnType<typeof connectionJson>

async function checkNow(deps: Deps, channel: Channel) {
  const { accountId, id } = channel
  const known = await findToCheck(deps.database, accountId, id)
  const look = known === null ? null : await checkNumber({ ...deps, appId: deps.connection.appId }, known)
  const checked = (await findChannelOf(deps.database, accountId, id)) ?? channel
  return connectionJson(checked, stepsOfCheck(look, checked))
}

function connectionJson(channel: Channel | null, steps: ShownStep[]) {
  return { object: 'channel_connection' as const, channel: channel === null ? null : channelDetailsJson(channel), steps }
}
