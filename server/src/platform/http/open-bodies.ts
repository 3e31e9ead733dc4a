import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { networkOf } from './network-of.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route that streams its body: how much of it is in memory at once. Left out: all of it. */
    bodyBytesHeld?: number
  }
  interface FastifyInstance {
    /** Takes note that this address has sent what only upstream can sign: its bodies then have a share of their own for a day. */
    vouchFor(address: string): void
    /** Whether it did within the last day. */
    isVouchedFor(address: string): boolean
  }
}

/** A body that is not read to its end: there is no room for it, or it comes too slowly. */
export class BodyCut extends Error {
  readonly because: 'full' | 'slow'
  readonly isStrangers: boolean
  /** Read by Fastify, which would call everything else the caller's fault. */
  readonly statusCode: number

  constructor(because: 'full' | 'slow', isStrangers: boolean) {
    super(because === 'full' ? 'too many large bodies are open at once' : 'a body did not come in time')
    this.because = because
    this.isStrangers = isStrangers
    this.statusCode = because === 'full' ? 500 : 400
  }
}

/** What one kind of caller may hold in memory, and how long their bodies may take. */
export type Share = {
  bytesMax: number
  bytesOfOneMax: number
  /** Without a byte; of the whole body. */
  restMsMax: number
  wholeMsMax: number
  /** Whether a slow body makes room for one that comes. */
  givesWay: boolean
}

/** Who has a key or a session, what they upload, who has signed a notice, and everybody else. */
export type Shares = { accounts: Share; uploads: Share; signers: Share; strangers: Share }

const megabyte = 1024 * 1024

/** 64 MB in all. A notice of upstream's has up to 3 MB, so that two of a new address of upstream's fit at once. */
const sharesDefault: Shares = {
  accounts: { bytesMax: 20 * megabyte, bytesOfOneMax: 8 * megabyte, restMsMax: 15_000, wholeMsMax: 60_000, givesWay: false },
  uploads: { bytesMax: 20 * megabyte, bytesOfOneMax: 10 * megabyte, restMsMax: 15_000, wholeMsMax: 300_000, givesWay: true },
  signers: { bytesMax: 12 * megabyte, bytesOfOneMax: 12 * megabyte, restMsMax: 5_000, wholeMsMax: 30_000, givesWay: true },
  strangers: { bytesMax: 12 * megabyte, bytesOfOneMax: 6 * megabyte, restMsMax: 5_000, wholeMsMax: 10_000, givesWay: true },
}

const lookEveryMs = 1_000
/** Before so long, or while so much comes in a second, a body is not slow. */
const slowAfterMs = 500
const slowBytesPerSecond = 64 * 1024
const signerMs = 24 * 3_600_000
const signersMax = 10_000

type Body = {
  share: Share
  owner: string
  isStrangers: boolean
  isStream: boolean
  /** Bytes that are in memory because of it. */
  held: number
  beganMs: number
  /** Bytes of its connection before it. */
  beganBytes: number
  /** When a byte came last, as far as was looked, and how many had come on its connection by then. */
  movedMs: number
  movedBytes: number
  request: FastifyRequest
  reply: FastifyReply
  payload: Readable
}

/**
 * Bounds what bodies hold in memory, from the first byte that is read until the answer has gone, and how long they take to come. What is
 * announced and does not come holds nothing. Callers with a key or a session, uploads, signers of notices and strangers have a share each,
 * so that none of them takes the room of the others; within it an account, or a network of strangers, has a bound of its own.
 */
export function boundOpenBodies(app: FastifyInstance, clock: Clock, shares: Shares = sharesDefault): void {
  const held = new Map<Share, Map<string, number>>(Object.values(shares).map((share) => [share, new Map()]))
  const heldInAll = new Map<Share, number>(Object.values(shares).map((share) => [share, 0]))
  const coming = new Set<Body>()
  const signers = createSigners(clock)
  let isLooking = false

  const hold = (body: Body, bytes: number) => {
    const owners = held.get(body.share) as Map<string, number>
    const left = (owners.get(body.owner) ?? 0) + bytes
    if (left > 0) owners.set(body.owner, left)
    else owners.delete(body.owner)
    heldInAll.set(body.share, (heldInAll.get(body.share) ?? 0) + bytes)
    body.held += bytes
  }
  const fits = ({ share, owner }: Body, bytes: number) =>
    (heldInAll.get(share) ?? 0) + bytes <= share.bytesMax && (held.get(share)?.get(owner) ?? 0) + bytes <= share.bytesOfOneMax

  const cut = (body: Body, because: 'full' | 'slow') => {
    coming.delete(body)
    if (because === 'slow' || body.isStrangers) body.reply.header('connection', 'close')
    // Who reads a form, or a body of an unknown type, need not listen yet.
    if (body.isStream || body.payload.listenerCount('error') === 0) body.request.raw.socket.destroy()
    else body.payload.emit('error', new BodyCut(because, body.isStrangers))
  }
  /** Cuts slow bodies, the oldest first, until this one has room. */
  const makeRoom = (body: Body, bytes: number) => {
    const nowMs = clock.monotonicMs()
    for (const other of coming) {
      if (fits(body, bytes)) return true
      if (other === body || other.share !== body.share || !isSlow(other, nowMs)) continue
      hold(other, -other.held)
      cut(other, 'slow')
    }
    return fits(body, bytes)
  }
  const take = (body: Body, bytes: number): boolean => {
    const hasRoom = fits(body, bytes) || (body.share.givesWay && makeRoom(body, bytes))
    if (hasRoom) hold(body, bytes)
    return hasRoom
  }

  const look = () => {
    const nowMs = clock.monotonicMs()
    for (const body of coming) {
      const bytes = bytesOf(body.request)
      if (bytes !== body.movedBytes) Object.assign(body, { movedMs: nowMs, movedBytes: bytes })
      if (body.request.raw.complete) coming.delete(body)
      else if (nowMs - body.beganMs >= body.share.wholeMsMax || nowMs - body.movedMs >= body.share.restMsMax) cut(body, 'slow')
    }
    isLooking = coming.size > 0
    if (isLooking) clock.after(lookEveryMs, look)
  }

  app.decorate('vouchFor', signers.add)
  app.decorate('isVouchedFor', signers.has)
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if ((length === undefined || length === '0') && encoding === undefined) return done(null, payload)
    const body = bodyOf(request, reply, payload as Readable, signers.has, shares, clock.monotonicMs())
    // Also where the caller hung up.
    reply.raw.once('close', () => {
      coming.delete(body)
      hold(body, -body.held)
    })
    const { bodyBytesHeld } = request.routeOptions.config
    if (bodyBytesHeld !== undefined && !take(body, bodyBytesHeld)) return done(new BodyCut('full', body.isStrangers))
    coming.add(body)
    if (bodyBytesHeld === undefined)
      payload.on('data', (chunk: Buffer) => {
        if (coming.has(body) && !take(body, chunk.length)) cut(body, 'full')
      })
    payload.once('end', () => coming.delete(body))
    if (!isLooking) {
      isLooking = true
      clock.after(lookEveryMs, look)
    }
    done(null, payload)
  })
}

function bodyOf(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Readable,
  isSigner: (address: string) => boolean,
  shares: Shares,
  nowMs: number,
): Body {
  const known = request.admitted?.accountId ?? request.signedIn?.userId ?? null
  const isStream = request.routeOptions.config.bodyBytesHeld !== undefined
  const share = known !== null ? (isStream ? shares.uploads : shares.accounts) : isSigner(request.ip) ? shares.signers : shares.strangers
  const bytes = bytesOf(request)
  const came = { beganMs: nowMs, beganBytes: bytes, movedMs: nowMs, movedBytes: bytes }
  return { share, owner: known ?? networkOf(request.ip), isStrangers: known === null, isStream, held: 0, ...came, request, reply, payload }
}

function isSlow({ beganMs, beganBytes, request }: Body, nowMs: number): boolean {
  const ms = nowMs - beganMs
  return ms >= slowAfterMs && bytesOf(request) - beganBytes < (slowBytesPerSecond * ms) / 1_000
}

/** How many bytes have come on the connection of a request. */
const bytesOf = (request: FastifyRequest): number => request.raw.socket.bytesRead ?? 0

/** The networks that have shown a right signature, a bounded number of them; the one that was silent for longest is forgotten first. */
function createSigners(clock: Clock) {
  const until = new Map<string, number>()
  return {
    add(address: string) {
      const network = networkOf(address)
      until.delete(network)
      until.set(network, clock.monotonicMs() + signerMs)
      const [oldest] = until.size > signersMax ? until.keys() : []
      if (oldest !== undefined) until.delete(oldest)
    },
    has: (address: string) => (until.get(networkOf(address)) ?? 0) > clock.monotonicMs(),
  }
}
