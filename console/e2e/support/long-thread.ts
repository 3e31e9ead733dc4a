import type { Gateway } from './gateway.ts'

const perNotice = 500
const words =
  'pão queijo bolo de cenoura entrega amanhã cedo obrigada pode ser às quinze horas no mesmo endereço de sempre por favor'.split(' ')

/** One person writes this many messages, which come as upstream's own notices, many in each; resolves when they are taken. */
export async function longThread(gateway: Gateway, count: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  for (let from = 0; from < count; from += perNotice) {
    const messages = Array.from({ length: Math.min(perNotice, count - from) }, (_, i) => {
      const n = from + i
      const text = `${n}: ${words.slice(0, 1 + ((n * 7) % words.length)).join(' ')}`
      return { from: person, id: `wamid.LONG${n}`, timestamp: String(now - count + n), type: 'text', text: { body: text } }
    })
    await gateway.postNotices(JSON.stringify(noticeOf(messages)))
  }
}

const person = '5521999990000'

function noticeOf(messages: readonly object[]): object {
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '204817396550128',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '551140028922', phone_number_id: '118350927764405' },
              contacts: [{ profile: { name: 'Beatriz Longa' }, wa_id: person }],
              messages,
            },
          },
        ],
      },
    ],
  }
}
