import { resolve } from 'node:path'
import { formatId, type Uuid } from '../base/id.ts'
import { type Refusal, refusal } from '../base/refusal.ts'
import { ok, type Result, refused } from '../base/result.ts'
import type { SecretKey } from '../base/seal.ts'
import type { Config } from '../config.ts'
import { listAccounts } from '../features/accounts/public.ts'
import { listWebhooks, registerWebhook, removeWebhook, type Webhook } from '../features/webhooks/public.ts'
import { findRunningPostgres } from '../platform/database/bundled/find-running.ts'
import type { Database } from '../platform/database/database.ts'
import { isOutage } from '../platform/database/failure.ts'
import { parsed } from '../platform/upstream/graph.ts'
import { type Arguments, requiredAccount } from './arguments.ts'
import { CannotRun } from './cannot-run.ts'
import type { Command, Context } from './command.ts'
import { eventLine } from './event-line.ts'
import { askGateway } from './gateway.ts'
import { isReceiverUrl, receiverLives, startReceiver } from './receive-events.ts'
import { signatureProblem } from './signature.ts'

/** Marks a webhook as one that goes when its listener does. */
const description = 'pombo listen'

export const listenCommands: readonly Command[] = [
  {
    name: 'listen',
    meaning: 'Show events as they happen, through a webhook that lives as long as the command.',
    argument: null,
    flags: [{ name: 'account', value: 'ID', meaning: 'The account to listen to; needed when there are several.' }],
    async run(context, given) {
      const config = context.config()
      await requireGateway(config, context)
      const stopped = untilStopped()
      return context.withDatabase(async ({ database, secretKey }) => {
        const account = await chooseAccount(database, given)
        if (!account.ok) return account
        const deps = { context, config, database, secretKey: await secretKey() }
        await removeLeftBehind(deps, account.value)
        return listen(deps, account.value, stopped)
      })
    },
  },
]

type Deps = { context: Context; config: Config; database: Database; secretKey: SecretKey }

async function requireGateway(config: Config, { clock }: Context): Promise<void> {
  const runs =
    config.databaseUrl === null
      ? (await findRunningPostgres({ clock }, config.dataDir)) !== null
      : (await askGateway(config)).kind !== 'silent'
  if (!runs) {
    const where = config.databaseUrl === null ? `in ${resolve(config.dataDir)} (DATA_DIR)` : `on port ${config.port} (PORT)`
    throw new CannotRun(
      `No gateway is running ${where}, so nothing would be told. Start one with npm start, and listen again with the same settings.`,
    )
  }
  if (!config.allowPrivateWebhooks)
    throw new CannotRun(
      'The gateway posts to public https addresses only, and this command listens on loopback. Start the gateway and this command with ALLOW_PRIVATE_WEBHOOKS=true.',
    )
}

/** Resolves when the command is asked to end. From now on a signal no longer ends the process by itself, so that the webhook can go. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}

async function chooseAccount(database: Database, given: Arguments): Promise<Result<Uuid, Refusal>> {
  if (given.text('account') !== null) return requiredAccount(given)
  const accounts = await listAccounts(database)
  const [only] = accounts
  if (only !== undefined && accounts.length === 1) return ok(only.id)
  if (only === undefined) return refused(refusal('not_found', 'There is no account yet. Make one with: account create --name NAME'))
  return refused(refusal('invalid_request', 'There are several accounts: choose one with --account ID (see account list).'))
}

async function listen(deps: Deps, accountId: Uuid, stopped: Promise<void>): Promise<Result<never, Refusal> | null> {
  const { context, config, database, secretKey } = deps
  // The secret is known only after the address: an event cannot come before the webhook is registered.
  let secret = ''
  const receiver = await startReceiver((rawBody, signature) => {
    const now = context.clock.now()
    const problem = signatureProblem(signature, rawBody, { secret, now })
    show(context, rawBody, problem)
    return problem === null
  })
  try {
    const policy = {
      allowPrivate: config.allowPrivateWebhooks,
      allowCidrs: config.webhookAllowCidrs,
      certificateAuthorities: config.webhookCa,
      ownEndpoints: [],
    }
    const registration = { accountId, url: receiver.url, events: ['*'] as const, description }
    const made = await registerWebhook({ database, clock: context.clock, policy, secretKey }, registration)
    if (!made.ok) return made
    secret = made.value.secret
    context.note(`Listening to ${formatId('acc', accountId)} on ${receiver.url}. Ctrl+C ends it and takes the webhook away.`)
    try {
      await stopped
    } finally {
      await removeOwn(deps, made.value.webhook)
    }
    return null
  } finally {
    await receiver.close()
  }
}

function show({ json, clock, write, note }: Context, rawBody: Buffer, problem: string | null): void {
  const text = rawBody.toString('utf8')
  if (!json) write(eventLine(parsed(text), clock.now(), problem))
  else if (problem === null) write(text)
  else note(`An event was not verified: ${problem}.`)
}

/** A listener that was killed could not take its webhook away, and each one counts towards the account's ten. */
async function removeLeftBehind(deps: Deps, accountId: Uuid): Promise<void> {
  for (const webhook of await listWebhooks(deps.database, accountId)) {
    if (webhook.description !== description || !isReceiverUrl(webhook.url) || (await receiverLives(webhook.url))) continue
    await remove(deps, webhook)
    deps.context.note('A webhook that an earlier listen had left was taken away.')
  }
}

/** With its gateway the bundled database goes too; the webhook then stays until the next listen. */
async function removeOwn(deps: Deps, webhook: Webhook): Promise<void> {
  try {
    await remove(deps, webhook)
  } catch (error) {
    if (!isOutage(error)) throw error
    deps.context.note('The gateway has stopped, so the webhook could not be taken away. The next listen does it.')
  }
}

async function remove({ context, database }: Deps, { accountId, id }: Webhook): Promise<void> {
  // The gateway's own lanes find the change by themselves: from here nobody is woken.
  await removeWebhook({ database, clock: context.clock, wakeDeliveries: () => {} }, { accountId, id })
}
