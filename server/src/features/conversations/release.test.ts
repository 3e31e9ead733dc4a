import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { followed, take, written } from '../../../test/support/inbox-stage.ts'
import { newStage, type Stage, sql } from '../../../test/support/stage.ts'
import { systemClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { changeRole, removeMember } from '../members/account-members.ts'
import { addMember, holdWorker, namesOf, removeMemberByEmail } from '../members/public.ts'
import { releaseAssigned } from './release.ts'
import { changeConversation } from './update.ts'

const clock = systemClock()
let own: TestDatabase
let stage: Stage
let owner: Uuid
let leaver: { id: Uuid; email: string }
let people = 0

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  stage = await newStage(own.database, clock)
  owner = (await newMember('owner')).id
  leaver = await newMember('agent')
})

const deps = () => ({
  ...{ database: own.database, clock, releaseWork: releaseAssigned },
  team: { holdWorker, namesOf: (ids: readonly Uuid[]) => namesOf(own.database, ids) },
})

async function newMember(role: string): Promise<{ id: Uuid; email: string }> {
  people += 1
  const email = `pessoa${people}@example.com`
  const added = await addMember(deps(), { accountId: stage.accountId, email, name: null, role })
  if (!added.ok) throw new Error(added.refusal.message)
  return { id: added.value.user.id, email }
}

async function conversation(): Promise<Uuid> {
  people += 1
  await take(deps(), { messages: [written(deps(), stage, `55119${80_000_000 + people}`)] })
  await followed(deps())
  const [row] = await sql<{ id: Uuid }>(own.database, 'select id from conversation where account_id = $1 order by id desc limit 1', [
    stage.accountId,
  ])
  if (row === undefined) throw new Error('there is one')
  return row.id
}
const change = (id: Uuid, changes: Parameters<typeof changeConversation>[2]) =>
  changeConversation(deps(), { accountId: stage.accountId, livemode: true, id }, changes)
const assigneeOf = async (id: Uuid) =>
  (
    await sql<{ assignee: Uuid | null }>(own.database, 'select assignee from conversation where account_id = $1 and id = $2', [
      stage.accountId,
      id,
    ])
  )[0]?.assignee
const asked = () => ({ accountId: stage.accountId, actorId: owner, userId: leaver.id })

// rule: inbox 1
describe('what was assigned to somebody comes back to the unassigned', () => {
  const leaves: [string, () => Promise<{ ok: boolean }>][] = [
    ['is taken out of the account', () => removeMember(deps(), asked())],
    ['goes themselves', () => removeMember(deps(), { ...asked(), actorId: leaver.id })],
    ['is taken out by the operator', () => removeMemberByEmail(deps(), { accountId: stage.accountId, email: leaver.email })],
    ['becomes a viewer', () => changeRole(deps(), { ...asked(), role: 'viewer' })],
  ]
  test.each(leaves)('when they %s: open and closed, and the inbox is told', async (_how, leave) => {
    const [open, closed, ofOther] = [await conversation(), await conversation(), await conversation()]
    await change(open, { assignee: leaver.id })
    await change(closed, { assignee: leaver.id, state: 'closed' })
    await change(ofOther, { assignee: owner })
    await sql(own.database, 'delete from message_change where account_id = $1', [stage.accountId])
    expect(await leave()).toMatchObject({ ok: true })
    expect([await assigneeOf(open), await assigneeOf(closed), await assigneeOf(ofOther)]).toEqual([null, null, owner])
    const told = await sql<{ ids: Uuid[] }>(own.database, 'select conversation_ids as ids from message_change where account_id = $1', [
      stage.accountId,
    ])
    expect(told.flatMap(({ ids }) => ids).toSorted()).toEqual([open, closed].toSorted())
  })

  test('not when the change is refused, nor when they keep a role that answers', async () => {
    const id = await conversation()
    await change(id, { assignee: leaver.id })
    expect(await changeRole(deps(), { ...asked(), actorId: leaver.id, role: 'viewer' })).toMatchObject({ ok: false })
    expect(await changeRole(deps(), { ...asked(), role: 'admin' })).toMatchObject({ ok: true })
    expect(await assigneeOf(id)).toBe(leaver.id)
  })

  test('also thousands, some in each transaction, and nobody is gone before the last', async () => {
    await sql(
      own.database,
      `insert into conversation (account_id, id, livemode, channel_id, contact_id, last_at, state, assignee)
      select $1, uuidv7(), true, $2, uuidv7(), now(), 'open', $3 from generate_series(1, 2500)`,
      [stage.accountId, stage.channelId, leaver.id],
    )
    const freed: number[] = []
    const releaseWork: typeof releaseAssigned = async (tx, of) => {
      const more = await releaseAssigned(tx, of)
      const left = await tx.all<{ amount: number }>({
        compile: () => ({ sql: 'select count(*)::int as amount from conversation where assignee = $1', parameters: [of.userId] }) as never,
      })
      freed.push(left[0]?.amount ?? -1)
      return more
    }
    expect(await removeMember({ ...deps(), releaseWork }, asked())).toMatchObject({ ok: true })
    expect(freed).toEqual([1_500, 500, 0])
  })
})

// rule: inbox 1
test('nobody is given a conversation who is a viewer, is no member, or leaves in that moment', async () => {
  const viewer = await newMember('viewer')
  const id = await conversation()
  expect(await change(id, { assignee: viewer.id })).toMatchObject({ ok: false })
  expect(await change(id, { assignee: newUuid(clock.now()) })).toMatchObject({ ok: false })
  for (let round = 0; round < 10; round += 1) {
    leaver = await newMember('agent')
    await Promise.all([removeMember(deps(), asked()), change(id, { assignee: leaver.id })])
    expect(await assigneeOf(id)).not.toBe(leaver.id)
  }
})
