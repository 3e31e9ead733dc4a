import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { readInboxSearch } from '../features/inbox/views.ts'
import { readMessageSearch } from '../features/messages/search.ts'
import { readTemplateSearch } from '../features/templates/search.ts'
import { ErrorNote, PageLoading } from '../ui/states.tsx'
import { AccountLayout } from './account-layout.tsx'
import { Entrance } from './entrance.tsx'
import { NotFound } from './not-found.tsx'

const root = createRootRoute({
  component: () => (
    <Suspense fallback={<PageLoading />}>
      <Outlet />
    </Suspense>
  ),
  notFoundComponent: NotFound,
})
const entrance = createRoute({ getParentRoute: () => root, path: '/', component: Entrance })
const account = createRoute({ getParentRoute: () => root, path: '/a/$accountId', component: AccountLayout })

/** Pages that need no sign-in. */
const outside = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage'),
    validateSearch: (search): { next?: string } => (typeof search.next === 'string' ? { next: search.next } : {}),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/link',
    component: lazyRouteComponent(() => import('../features/sign-in/link-page.tsx'), 'LinkPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    component: lazyRouteComponent(() => import('../features/sign-in/invitation-page.tsx'), 'InvitationPage'),
  }),
] as const

/** One page with or without an open conversation, so that the list stays as it is. */
const inbox = createRoute({
  getParentRoute: () => account,
  path: '/inbox',
  component: lazyRouteComponent(() => import('../features/inbox/inbox-page.tsx'), 'InboxPage'),
  validateSearch: readInboxSearch,
})

/** Every page of an account; the program of each is loaded when it is first opened. */
const pages = [
  createRoute({
    getParentRoute: () => account,
    path: '/',
    component: lazyRouteComponent(() => import('../features/home/home-page.tsx'), 'HomePage'),
  }),
  inbox.addChildren([createRoute({ getParentRoute: () => inbox, path: '/$conversationId' })]),
  createRoute({
    getParentRoute: () => account,
    path: '/messages',
    component: lazyRouteComponent(() => import('../features/messages/messages-page.tsx'), 'MessagesPage'),
    validateSearch: readMessageSearch,
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/messages/$messageId',
    component: lazyRouteComponent(() => import('../features/messages/message-page.tsx'), 'MessagePage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/usage',
    component: lazyRouteComponent(() => import('../features/usage/usage-page.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/alerts',
    component: lazyRouteComponent(() => import('../features/alerts/alerts-page.tsx'), 'AlertsPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/channels',
    component: lazyRouteComponent(() => import('../features/channels/channels-page.tsx'), 'ChannelsPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/channels/connect',
    component: lazyRouteComponent(() => import('../features/channels/connect-page.tsx'), 'ConnectPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/channels/$channelId',
    component: lazyRouteComponent(() => import('../features/channels/channel-page.tsx'), 'ChannelPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/templates',
    component: lazyRouteComponent(() => import('../features/templates/templates-page.tsx'), 'TemplatesPage'),
    validateSearch: readTemplateSearch,
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/templates/new',
    component: lazyRouteComponent(() => import('../features/templates/new-template-page.tsx'), 'NewTemplatePage'),
    validateSearch: readTemplateSearch,
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/templates/$name',
    component: lazyRouteComponent(() => import('../features/templates/template-page.tsx'), 'TemplatePage'),
    validateSearch: readTemplateSearch,
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/opt-outs',
    component: lazyRouteComponent(() => import('../features/opt-outs/opt-outs-page.tsx'), 'OptOutsPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/api-keys',
    component: lazyRouteComponent(() => import('../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/webhooks',
    component: lazyRouteComponent(() => import('../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/webhooks/$webhookId',
    component: lazyRouteComponent(() => import('../features/webhooks/webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/request-log',
    component: lazyRouteComponent(() => import('../features/request-log/request-log-page.tsx'), 'RequestLogPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/members',
    component: lazyRouteComponent(() => import('../features/members/members-page.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/settings/audit-log',
    component: lazyRouteComponent(() => import('../features/members/audit-log-page.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/me',
    component: lazyRouteComponent(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([entrance, ...outside, account.addChildren([...pages])]),
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }) => <ErrorNote error={error} />,
  defaultPendingComponent: PageLoading,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
