import { runPomboHere } from '../run-pombo.ts'
import type { Api } from './api.ts'
import type { EventReceiver } from './event-receiver.ts'
import { environment } from './gateway-process.ts'
import { type SimulatorProcess, upstreamNumber } from './simulator-process.ts'
import { until } from './until.ts'

export type Business = { accountId: string; channelId: string; key: string }

/** An account with a live key and a connected number, made with the operator's tool inside this process. */
export async function makeBusiness(settings: Record<string, string>): Promise<Business> {
  const run = async (...args: string[]) => {
    const { code, stdout } = await runPomboHere([...args, '--json'], environment(settings))
    if (code !== 0) throw new Error(`${args[0]} ${args[1]} failed: ${stdout}`)
    return JSON.parse(stdout)
  }
  const account = await run('account', 'create', '--name', 'Loja')
  const { key } = await run('key', 'create', '--account', account.id, '--live')
  const { phoneNumberId, wabaId, token } = upstreamNumber
  const number = ['--phone-number-id', phoneNumberId, '--waba-id', wabaId, '--token', token]
  const channel = await run('channel', 'connect', '--account', account.id, ...number)
  return { accountId: account.id, channelId: channel.id, key }
}

/** So many people, none of whose numbers has a special ending, have just written: each may be answered. */
export async function letPeopleWrite(api: Api, simulator: SimulatorProcess, count: number): Promise<string[]> {
  const people = Array.from({ length: count }, (_, i) => `55119${String(88_770_001 + i)}`)
  await Promise.all(people.map((from) => simulator.command('inbound', { from, text: 'Oi!' })))
  await until(
    `${count} people have written`,
    async () => {
      const { data } = (await api.get('/v1/messages?direction=inbound&limit=100')).body as { data: { contact: { phone: string } }[] }
      return people.every((person) => data.some((each) => each.contact.phone.endsWith(person)))
    },
    20_000,
  )
  return people
}

/** Registers a webhook at a path of the receiver, for everything unless told otherwise, and answers its id. */
export async function registerWebhook(api: Api, receiver: EventReceiver, path: string, events: readonly string[] = ['*']): Promise<string> {
  const { status, body } = await api.post('/v1/webhooks', { url: receiver.urlOf(path), events })
  if (status !== 201) throw new Error(`The webhook was refused: ${JSON.stringify(body)}`)
  receiver.signedWith(path, body.secret)
  return body.id
}

export const textTo = (to: string, body: string) => ({ to, type: 'text', text: { body } })
