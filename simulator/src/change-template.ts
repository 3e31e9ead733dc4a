import { templateNotices } from './template-notices.ts'
import { reviewOf } from './template-review.ts'
import type { Template, TemplateChange, TemplateOptions } from './templates.ts'
import type { World } from './world.ts'

/** Changes a template and posts what the platform would tell of it; the notices are under way when this returns. Null for an id that is not there. */
export function changeTemplate(world: World, id: string, change: TemplateChange): Template | null {
  const before = world.templates.byId(id)
  const now = before === null ? null : world.templates.change(id, change)
  if (before === null || now === null) return null
  const atSeconds = Math.floor(world.clock.nowMs() / 1000)
  const subscribed = world.directory.wabas.get(now.wabaId)?.subscribed === true || !world.behaviour.current.requireSubscription
  for (const { label, body } of templateNotices(before, now, atSeconds)) {
    if (subscribed) void world.outbox.enqueueText(body, { label })
    else world.outbox.refuse({ label, body }, 'the WABA is not subscribed')
  }
  return now
}

/** Takes a new template and starts its review. Answers it as the creation tells it. */
export function submitTemplate(world: World, wabaId: string, options: TemplateOptions): Template {
  const { answered, later } = reviewOf(options.name)
  const template = world.templates.add(wabaId, { ...options, ...answered })
  void review(world, template.id, later)
  return template
}

async function review(world: World, id: string, changes: readonly TemplateChange[]): Promise<void> {
  world.activity.begin()
  for (const change of changes) {
    await world.due.wait(world.behaviour.current.templateReviewMs)
    // Deleted meanwhile: there is nothing left to review.
    if (changeTemplate(world, id, change) === null) break
  }
  world.activity.end()
}
