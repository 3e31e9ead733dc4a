import type { HttpLoadAnswer, HttpLoadOrders } from '../programs/http-load.ts'
import type { NoticeNumber, Sender } from '../programs/requests.ts'
import type { Business } from './businesses.ts'
import { runProgram } from './program.ts'

/** Loads a server from another process. Throws when anything was answered in another way than `status`: such a figure would mean nothing. */
export async function load(status: number, orders: HttpLoadOrders): Promise<HttpLoadAnswer> {
  const answer = await runProgram<HttpLoadAnswer>('http-load.ts', orders)
  if (answer.statuses[status] !== orders.count) throw new Error(`Not every answer was ${status}: ${JSON.stringify(answer.statuses)}`)
  return answer
}

/** Every number of every business, as those who send from them see it. */
export function sendersOf(businesses: readonly Business[]): Sender[] {
  return businesses.flatMap(({ key, numbers }) =>
    numbers.map(({ channelId, people }) => ({ key, channelId, people: people.map((each) => each.digits) })),
  )
}

/** Every number of every business, as the platform speaks of it. */
export function noticeNumbersOf(businesses: readonly Business[]): NoticeNumber[] {
  return businesses.flatMap(({ numbers }) =>
    numbers.map(({ phoneNumberId, wabaId, displayDigits, people }) => ({
      ...{ phoneNumberId, wabaId, displayDigits },
      people: people.map((each) => each.digits),
    })),
  )
}

let runs = 0

/** A word that no other run of this database has. */
export function newRun(): string {
  runs += 1
  return `run${process.pid}x${runs}`
}
