import type { Queries } from '../../platform/database/database.ts'
import { firstChangeAfter } from '../messages/public.ts'
import { type FollowerName, readFollower } from './follower-store.ts'

export type InboxDepth = { conversationsSeconds: number; searchSeconds: number }

/** How long the oldest change of a message has waited to be seen in the conversations, and in the search; 0: none waits. */
export async function inboxDepth(queries: Queries, now: Date): Promise<InboxDepth> {
  const behind = async (name: FollowerName): Promise<number> => {
    const since = await firstChangeAfter(queries, await readFollower(queries, name))
    return since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000)
  }
  return { conversationsSeconds: await behind('conversations'), searchSeconds: await behind('search') }
}
