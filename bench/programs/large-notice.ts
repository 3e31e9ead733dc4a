import { readOrders } from '../stage/program.ts'
import { openCaller } from './http-caller.ts'
import { type NoticeNumber, noticeText, signedPost } from './requests.ts'

/** Posts one notice that carries as many texts as fit into `bytes`, and tells how long its answer took. */
type Orders = { origin: string; run: string; appSecret: string; bytes: number; number: NoticeNumber }
const { origin, run, appSecret, bytes, number } = await readOrders<Orders>()
const { people } = number
const one = (i: number) => ({ from: people[i % people.length] ?? '', wamid: `wamid.${run}.${i}`, text: 'Oi, tudo bem? '.padEnd(700, 'x') })
const each = noticeText(number, [one(0), one(1)]).length - noticeText(number, [one(0)]).length
// A little fewer, because later ids are longer.
const written = Array.from({ length: Math.floor(bytes / (each + 8)) }, (_, i) => one(i))
const body = Buffer.from(noticeText(number, written))
const request = signedPost(origin, body, appSecret)
const caller = await openCaller(origin)
const startedMs = performance.now()
const status = await caller.call(request)
const ms = performance.now() - startedMs
caller.close()
process.stdout.write(JSON.stringify({ status, ms, bytes: body.length, messages: written.length }))
