import { connectChannel } from '../../src/features/channels/public.ts'
import { done, type TestAccount } from './accounts.ts'
import type { TestGateway } from './gateway.ts'

/** A template that upstream takes; its review stays open, because of its name. */
export function newTemplate(name: string, more: object = {}): object {
  return { name: `${name}_pending`, language: 'pt_BR', category: 'UTILITY', components: [{ type: 'BODY', text: 'Tudo certo.' }], ...more }
}

/** A second connected number of the account's first business account. */
export async function addNumberOfSameWaba(gateway: TestGateway, { uuid, channel }: TestAccount): Promise<void> {
  const number = { ...channel, phoneNumberId: `${channel.phoneNumberId}9`, displayDigits: `${channel.displayDigits}9` }
  gateway.simulator.addNumber(number)
  done(await connectChannel(gateway.deps, { ...number, accountId: uuid, pin: null }))
}

/** The category that the database has of a template; undefined: none. */
export async function rememberedCategory(gateway: TestGateway, account: TestAccount, name: string): Promise<string | undefined> {
  const rows = await gateway.deps.database.all<{ category: string }>({
    compile: () =>
      ({
        sql: 'select category from template_state where account_id = $1 and waba_id = $2 and name = $3 order by language limit 1',
        parameters: [account.uuid, account.channel.wabaId, name],
      }) as never,
  })
  return rows[0]?.category
}
