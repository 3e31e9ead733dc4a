import type { FastifyInstance } from 'fastify'
import { objectIn, refuse, textOf } from './command-body.ts'
import type { Simulator } from './face.ts'
import { sendInbound } from './inbound.ts'
import { isFilled, isObject } from './json-value.ts'
import { mediaBytesMax } from './media-types.ts'
import type { PostOptions } from './outbox.ts'
import { parseInbound } from './parse-inbound.ts'
import type { Replacements } from './raw-notice.ts'
import { postStatus } from './status-command.ts'
import type { World } from './world.ts'

type NoticeQuery = {
  Querystring: { signature?: string; escape?: string; repeat?: string; times?: string; replace?: string | string[] }
}

const TIMES_MAX = 1000
const INBOUND_BYTES_MAX = 2 * mediaBytesMax

/** The commands that make notices go out: people, statuses, notices written elsewhere, and the callback itself. */
export function noticeCommands(app: FastifyInstance, simulator: Simulator, world: World): void {
  app.post('/_sim/inbound', { bodyLimit: INBOUND_BYTES_MAX }, async (request, reply) => {
    const input = parseInbound(objectIn(request.body))
    if (typeof input === 'string') return refuse(reply, input)
    const result = await sendInbound(world, input)
    return result === null ? reply.code(404).send({ error: 'There is no such number.' }) : reply.send(result)
  })
  app.post('/_sim/statuses', async (request, reply) => {
    const { wamid, status, code, details, timestamp, extra } = objectIn(request.body) ?? {}
    if (!isFilled(wamid) || !isFilled(status)) return refuse(reply, 'Give "wamid" and "status".')
    if (code !== undefined && !Number.isInteger(code)) return refuse(reply, '"code" must be a whole number.')
    if (extra !== undefined && !isObject(extra)) return refuse(reply, '"extra" must be an object.')
    const result = await postStatus(world, {
      ...{ wamid, status },
      ...(code === undefined ? {} : { code: Number(code) }),
      ...(isFilled(details) ? { details } : {}),
      ...(isFilled(timestamp) ? { timestamp } : {}),
      ...(extra === undefined ? {} : { extra }),
    })
    return result === null ? reply.code(404).send({ error: 'No such message was accepted.' }) : reply.send(result)
  })
  // The options stand in the query, so that the body can be any text and goes on as it is.
  app.post<NoticeQuery>('/_sim/notices', async (request, reply) => {
    const { signature = 'right', escape: escaped, repeat, times = '1' } = request.query
    if (signature !== 'right' && signature !== 'wrong' && signature !== 'none') return refuse(reply, '"signature" is right, wrong or none.')
    const count = Number(times)
    if (!Number.isInteger(count) || count < 1 || count > TIMES_MAX) return refuse(reply, `"times" is a whole number up to ${TIMES_MAX}.`)
    const replace = replacementsIn(request.query.replace)
    if (replace === null) return refuse(reply, '"replace" is written as old:new, and may be given again.')
    const options: PostOptions = { signature, escape: escaped !== 'false', ...(repeat === undefined ? {} : { repeat: repeat !== 'false' }) }
    return reply.send({ results: await simulator.postNotice(textOf(request.body), { ...options, times: count, replace }) })
  })
  callbackCommands(app, simulator)
}

function callbackCommands(app: FastifyInstance, simulator: Simulator): void {
  app.post('/_sim/handshake', async (request, reply) => {
    const verifyToken = objectIn(request.body)?.verifyToken
    return reply.send(await simulator.handshake(isFilled(verifyToken) ? verifyToken : undefined))
  })
  app.post('/_sim/callback', (request, reply) => {
    const body = objectIn(request.body)
    if (body === null || !isFilled(body.url) || !URL.canParse(body.url)) return refuse(reply, 'Give "url".')
    const { url, appSecret, verifyToken } = body
    simulator.setCallback({ url, ...(isFilled(appSecret) ? { appSecret } : {}), ...(isFilled(verifyToken) ? { verifyToken } : {}) })
    return reply.send({ success: true })
  })
}

function replacementsIn(given: string | string[] | undefined): Replacements | null {
  const pairs = (typeof given === 'string' ? [given] : (given ?? [])).map((pair) => /^([^:]+):(.+)$/.exec(pair))
  const read = pairs.flatMap((pair) => (pair?.[1] === undefined || pair[2] === undefined ? [] : [[pair[1], pair[2]] as const]))
  return read.length === pairs.length ? Object.fromEntries(read) : null
}
