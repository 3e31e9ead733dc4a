import {
  IconBell,
  IconChartBar,
  IconFileText,
  IconHome,
  IconInbox,
  IconKey,
  IconListDetails,
  IconMessages,
  IconPhone,
  IconShield,
  IconUserOff,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** A page of the menu; `scope` is what the role needs for it. */
export type PageItem = { to: string; name: string; icon: ReactNode; scope: string | null }

const size = 18

/** What the team does from day to day. */
export const workPages: readonly PageItem[] = [
  { to: '/a/$accountId', name: 'home', icon: <IconHome size={size} />, scope: null },
  { to: '/a/$accountId/inbox', name: 'inbox', icon: <IconInbox size={size} />, scope: 'messages:read' },
  { to: '/a/$accountId/messages', name: 'messages', icon: <IconMessages size={size} />, scope: 'messages:read' },
  { to: '/a/$accountId/usage', name: 'usage', icon: <IconChartBar size={size} />, scope: 'usage:read' },
  { to: '/a/$accountId/alerts', name: 'alerts', icon: <IconBell size={size} />, scope: 'account:read' },
]
/** How the company's system is connected. */
export const connectionPages: readonly PageItem[] = [
  { to: '/a/$accountId/settings/channels', name: 'channels', icon: <IconPhone size={size} />, scope: 'channels:read' },
  { to: '/a/$accountId/settings/templates', name: 'templates', icon: <IconFileText size={size} />, scope: 'templates:read' },
  { to: '/a/$accountId/settings/opt-outs', name: 'opt_outs', icon: <IconUserOff size={size} />, scope: 'opt_outs:write' },
  { to: '/a/$accountId/settings/api-keys', name: 'api_keys', icon: <IconKey size={size} />, scope: 'account:read' },
  { to: '/a/$accountId/settings/webhooks', name: 'webhooks', icon: <IconWebhook size={size} />, scope: 'webhooks:write' },
  { to: '/a/$accountId/settings/request-log', name: 'request_log', icon: <IconListDetails size={size} />, scope: 'account:read' },
]
/** Who belongs to the account, and what they did. */
export const teamPages: readonly PageItem[] = [
  { to: '/a/$accountId/settings/members', name: 'members', icon: <IconUsers size={size} />, scope: null },
  { to: '/a/$accountId/settings/audit-log', name: 'audit_log', icon: <IconShield size={size} />, scope: 'account:read' },
]
