import type { Metrics } from './platform/observe/metrics.ts'
import type { Field, Observation } from './platform/observe/observation.ts'

/** Fields of changes that get a series of their own; upstream adds more, and those share one. */
const fieldsShown: ReadonlySet<string> = new Set([
  'account_alerts',
  'account_review_update',
  'account_update',
  'business_capability_update',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'template_category_update',
  'user_preferences',
])
/** More webhooks than this do not get a series of their own; they share one. */
const webhooksShownMax = 1_000
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const lagBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3_600]
const itemBuckets = [1, 2, 5, 10, 25, 50, 100, 200, 500]

/** Counts and times what the observations tell. `docs/operations.md` says what each measure means and when to worry. */
export function createMeasures(metrics: Metrics): (observation: Observation) => void {
  const observations = metrics.counter({
    name: 'observations_total',
    help: 'Finished pieces of work and faults, by kind.',
    labels: ['kind'],
  })
  const calls = metrics.histogram({
    name: 'upstream_call_seconds',
    help: 'Calls that send a message, by outcome.',
    labels: ['outcome', 'mode'],
    buckets: secondsBuckets,
  })
  const waits = metrics.histogram({
    name: 'send_wait_seconds',
    help: 'From the acceptance of a send to its intent.',
    labels: ['mode'],
    buckets: lagBuckets,
  })
  const attempts = metrics.counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to deliver an event, by webhook.',
    labels: ['webhook', 'received'],
  })
  const attemptSeconds = metrics.histogram({
    name: 'delivery_attempt_seconds',
    help: 'How long receivers take to answer.',
    labels: ['received'],
    buckets: secondsBuckets,
  })
  const notices = metrics.counter({ name: 'notice_items_total', help: 'Items of notices, by what became of them.', labels: ['fate'] })
  const changes = metrics.counter({
    name: 'notice_changes_total',
    help: 'Changes of templates, numbers and preferences, by field and by what became of them.',
    labels: ['field', 'fate'],
  })
  const checks = metrics.counter({
    name: 'channel_checks_total',
    help: 'Numbers read from upstream, by what it said.',
    labels: ['outcome'],
  })
  const noticeLag = metrics.histogram({
    name: 'notice_lag_seconds',
    help: 'How long the first notice of a batch waited.',
    labels: [],
    buckets: lagBuckets,
  })
  const owners = metrics.counter({
    name: 'shard_changes_total',
    help: 'Shards that changed their owner, as this process saw it.',
    labels: ['change'],
  })
  const batches = metrics.histogram({
    name: 'batch_items',
    help: 'How many items one commit took.',
    labels: ['batch'],
    buckets: itemBuckets,
  })
  const shown = new Set<string>()

  const nameOf = (webhook: string) => {
    if (shown.size < webhooksShownMax) shown.add(webhook)
    return shown.has(webhook) ? webhook : 'other'
  }
  const readers: { readonly [kind: string]: (told: Told) => void } = {
    'send.finished': (told) => {
      const mode = told.flag('livemode') ? 'live' : 'test'
      calls({ outcome: told.text('outcome'), mode }, told.number('ms') / 1_000)
      waits({ mode }, told.number('waitedMs') / 1_000)
    },
    'webhook.attempt': (told) => {
      const received = String(told.text('outcome') === 'succeeded')
      attempts({ webhook: nameOf(told.text('webhookId')), received })
      attemptSeconds({ received }, told.number('durationMs') / 1_000)
    },
    'notices.worked': (told) => {
      const [items, aside, passed] = [told.number('items'), told.number('setAside'), told.number('passedOver')]
      notices({ fate: 'worked' }, items - aside - passed)
      notices({ fate: 'set_aside' }, aside)
      notices({ fate: 'passed_over' }, passed)
      noticeLag({}, told.number('lagMs') / 1_000)
    },
    'notices.changes': (told) => {
      const field = told.text('field')
      changes({ field: fieldsShown.has(field) ? field : 'other', fate: told.text('fate') }, told.number('count'))
    },
    'channel.checked': (told) => checks({ outcome: told.text('outcome') }),
    'channel.unusable': (told) => checks({ outcome: told.text('outcome') }),
    'notices.replayed': (told) => {
      const [items, aside] = [told.number('items'), told.number('setAside')]
      notices({ fate: 'replayed' }, items - aside)
      notices({ fate: 'set_aside' }, aside)
    },
    'shards.taken': (told) => owners({ change: 'taken' }, told.number('shards')),
    'shards.released': (told) => owners({ change: 'released' }, told.number('shards')),
    'shards.lost': (told) => owners({ change: 'lost' }, told.number('shards')),
    batch: (told) => batches({ batch: told.text('name') }, told.number('items')),
  }
  return (observation) => {
    observations({ kind: observation.kind })
    readers[observation.kind]?.(toldBy(observation))
  }
}

type Told = { number(field: string): number; text(field: string): string; flag(field: string): boolean }

function toldBy(observation: { readonly [field: string]: Field | undefined }): Told {
  return {
    number: (field) => Number(observation[field] ?? 0),
    text: (field) => String(observation[field] ?? 'none'),
    flag: (field) => observation[field] === true,
  }
}
