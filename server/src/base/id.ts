import { randomFillSync } from 'node:crypto'
import type { Brand } from './brand.ts'

/** The prefixes of every kind of id that leaves this program. */
export type IdPrefix =
  | 'msg'
  | 'evt'
  | 'ch'
  | 'whk'
  | 'dlv'
  | 'med'
  | 'acc'
  | 'key'
  | 'usr'
  | 'con'
  | 'itm'
  | 'inv'
  | 'ses'
  | 'aud'
  | 'req'
  | 'alr'
  | 'cnv'
  | 'nte'
  | 'can'

/** An id as the contract shows it: a prefix and the 32 hex characters of a UUIDv7. The database keeps the uuid. */
export type Id<Prefix extends IdPrefix> = Brand<`${Prefix}_${string}`, Prefix>

/** A uuid in the form that PostgreSQL prints. */
export type Uuid = Brand<string, 'uuid'>

/** The newest moment that was asked for, and the place of the id that was made last. */
let askedMs = 0
let lastMs = 0
let lastCount = 0

/**
 * A new UUIDv7 of the moment `at`. Ids made in one process for the same or a later millisecond sort in the order in which
 * they were made: 12 bits count within the millisecond (RFC 9562, method 1), and a full count borrows from the next one.
 */
export function newUuid(at: Date): Uuid {
  const atMs = at.getTime()
  // An id for an earlier moment (imported history, a corrected clock) keeps its own time and gets a random count.
  if (atMs < askedMs) return uuidOf(atMs, randomBits().readUInt16BE() & 0xfff, randomBits())
  askedMs = atMs
  if (atMs > lastMs) {
    lastMs = atMs
    lastCount = 0
  } else if (lastCount < 0xfff) lastCount += 1
  else {
    // What is borrowed is remembered: ids of the millisecond that lent it come after these.
    lastMs += 1
    lastCount = 0
  }
  return uuidOf(lastMs, lastCount, randomBits())
}

/** Asking the system for eight bytes costs 4 µs, handing them out of a filled pool a fraction of one (measured); each is used once. */
const pool = Buffer.alloc(8_192)
let poolUsed = pool.length

function randomBits(): Buffer {
  if (poolUsed === pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  poolUsed += 8
  return pool.subarray(poolUsed - 8, poolUsed)
}

/** 63 random bits, as PostgreSQL takes a number. */
export const randomNumber = (): bigint => BigInt.asUintN(63, randomBits().readBigUInt64BE())

function uuidOf(ms: number, count: number, random: Buffer): Uuid {
  const time = ms.toString(16).padStart(12, '0')
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80
  const rest = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-${rest.slice(0, 4)}-${rest.slice(4)}` as Uuid
}

/** The lowest uuid that a UUIDv7 of the moment `at` can have: partitions and time filters are bounds on the id. */
export function lowestUuidAt(at: Date): Uuid {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000` as Uuid
}

/** The moment inside a UUIDv7, to the millisecond. */
export function momentOf(uuid: Uuid): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16))
}

/** The contract's form of a uuid. */
export function formatId<Prefix extends IdPrefix>(prefix: Prefix, uuid: Uuid): Id<Prefix> {
  return `${prefix}_${uuid.replaceAll('-', '')}` as Id<Prefix>
}

/** The uuid inside an id of that kind, or null for anything else: a path segment is not trusted. */
export function parseId(prefix: IdPrefix, text: string): Uuid | null {
  if (text.length !== prefix.length + 33 || !text.startsWith(`${prefix}_`)) return null
  const hex = text.slice(prefix.length + 1)
  if (!/^[0-9a-f]{32}$/.test(hex)) return null
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Uuid
}
