import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { parseId, type Uuid } from '../../base/id.ts'
import { because, refusal } from '../../base/refusal.ts'
import { ok, refused } from '../../base/result.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Reads } from '../../platform/database/reads.ts'
import { answer } from '../../platform/http/answer.ts'
import { listOf } from '../../platform/http/paging.ts'
import { errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { overviewRoute } from './overview-route.ts'
import { dismiss, listAlerts } from './store.ts'
import { alertJson, alertSchema } from './wire.ts'

type Deps = { database: Database; reads: Reads; clock: Clock }

// What is wrong with an account is the same in both modes.
const config = { access: { scope: 'account:read', testKeys: true } }
const tags = ['Alerts']
const keptMs = 30 * 86_400_000
const alertsListedMax = 200

/** Alerts, and the page on which the console begins; of the console alone. */
export function alertRoutes(account: HttpServer, deps: Deps): void {
  account.get(
    '/alerts',
    {
      config,
      schema: {
        operationId: 'listAlerts',
        summary: 'What is wrong now and what was in the last 30 days, newest first',
        tags,
        response: { 200: listOf(alertSchema), ...errors() },
      },
    },
    async ({ caller }) => ({
      object: 'list' as const,
      data: (await listAlerts(deps.reads.of(caller.accountId), caller.accountId, lastDays(deps.clock))).map(alertJson),
      has_more: false,
    }),
  )

  account.post(
    '/alerts/:id/dismiss',
    {
      config,
      schema: {
        operationId: 'dismissAlert',
        summary: 'Do not show an alert any more; a new episode opens another one',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 200: alertSchema, ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const dismissed = await dismissAlert(deps, caller.accountId, parseId('alr', params.id))
      return answer(reply, dismissed === null ? notFound : ok(alertJson(dismissed)))
    },
  )

  overviewRoute(account, deps)
}

const lastDays = (clock: Clock) => ({ since: new Date(clock.now().getTime() - keptMs), most: alertsListedMax })

const notFound = refused(refusal('not_found', because('no_alert', 'There is no alert with this id.')))

async function dismissAlert({ database, clock }: Deps, accountId: Uuid, id: Uuid | null) {
  return id === null ? null : database.transaction((tx) => dismiss(tx, { accountId, id }, clock.now()))
}
