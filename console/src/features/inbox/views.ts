import type { ListConversationsQuery } from '../../api/generated/operations.ts'

/** The tabs of the list, in their order. */
export const views = ['open', 'mine', 'unassigned', 'snoozed', 'closed'] as const
export type View = (typeof views)[number]

/** What the address of the inbox says beside the conversation. */
export type InboxSearch = {
  view?: View
  channel?: string
  label?: string
  unread?: true
  q?: string
  /** The message at which the thread opens. */
  message?: string
}

/** Which of a view's conversations are shown. */
export type Filter = Pick<InboxSearch, 'channel' | 'label' | 'unread'>

/** Reads what stands in the address, and leaves out what makes no sense. */
export function readInboxSearch(search: Record<string, unknown>): InboxSearch {
  const text = (name: string) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? { [name]: value } : {}
  }
  const view = views.find((each) => each === search.view)
  return {
    ...(view === undefined || view === 'open' ? {} : { view }),
    ...text('channel'),
    ...text('label'),
    ...(search.unread === true ? { unread: true } : {}),
    ...text('q'),
    ...text('message'),
  }
}

/** The filters that stay when another conversation is opened. */
export const withoutMessage = ({ message: _message, ...filters }: InboxSearch): InboxSearch => filters

/** What the list asks for. */
export function queryOf({ view = 'open', channel, label, unread }: InboxSearch): ListConversationsQuery {
  return {
    state: view === 'closed' || view === 'snoozed' ? view : 'open',
    ...(view === 'mine' ? { assignee: 'me' } : {}),
    ...(view === 'unassigned' ? { assignee: 'none' } : {}),
    ...(channel === undefined ? {} : { channel_id: channel }),
    ...(label === undefined ? {} : { label }),
    ...(unread === undefined ? {} : { unread }),
    limit: 40,
  }
}
