import { type Inbox, type InboxDeps, startInbox } from './features/conversations/lanes.ts'
import { type FileLanes, type FilesDeps, type SendLanes, type SendsDeps, startFiles, startSends } from './features/messages/lanes.ts'
import { type NoticesDeps, startNotices } from './features/notices/lanes.ts'
import { type Deliveries, type DeliveriesDeps, startDeliveries } from './features/webhooks/lanes.ts'
import type { Loop } from './platform/lanes/loop.ts'

export type LaneDeps = Omit<SendsDeps, 'files'> &
  DeliveriesDeps &
  Omit<NoticesDeps, 'wakeFiles'> &
  FilesDeps &
  InboxDeps & { upstreamFiles: SendsDeps['files'] }

export type Lanes = { sends: SendLanes; deliveries: Deliveries; notices: Loop; files: FileLanes; inbox: Inbox; stop(): Promise<void> }

/**
 * Every kind of background work. Sends, files and deliveries belong to the owner of their shard; notices are worked through by
 * whoever locks them. Scheduled tasks stand in `tasks.ts`.
 */
export function startLanes(deps: LaneDeps, options: { sendsPerSecond: number }): Lanes {
  const sends = startSends({ ...deps, files: deps.upstreamFiles }, options)
  const files = startFiles(deps)
  const notices = startNotices({ ...deps, wakeFiles: files.wake })
  const deliveries = startDeliveries(deps)
  const inbox = startInbox(deps)
  return {
    sends,
    deliveries,
    notices,
    files,
    inbox,
    async stop() {
      // Deliveries last: what the others finish makes new ones, which at least may start before they are left to the next owner.
      await Promise.all([sends.stop(), notices.stop(), files.stop(), inbox.stop()])
      await deliveries.stop()
    },
  }
}
