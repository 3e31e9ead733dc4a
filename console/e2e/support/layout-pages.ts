import type { Page } from 'playwright-core'
import type { fillWithExtremes } from './extremes.ts'

export type LayoutPage = {
  name: string
  path: string
  /** Opens what is to be looked at there. */
  open?: (page: Page) => Promise<void>
}

type Ids = Awaited<ReturnType<typeof fillWithExtremes>>

/** Every page of an account, with something in it. */
export function layoutPages({ conversations, webhook, message, channel }: Ids): readonly LayoutPage[] {
  return [
    { name: 'home', path: '' },
    { name: 'inbox', path: '/inbox' },
    ...conversations.map((id, i) => ({ name: `thread ${i + 1}`, path: `/inbox/${id}` })),
    { name: 'thread with details', path: `/inbox/${conversations[1] ?? ''}`, open: (page) => page.keyboard.press('i') },
    { name: 'messages', path: '/messages' },
    { name: 'message', path: `/messages/${message}` },
    { name: 'usage', path: '/usage' },
    { name: 'alerts', path: '/alerts' },
    { name: 'channels', path: '/settings/channels' },
    { name: 'channel', path: `/settings/channels/${channel}` },
    { name: 'connect', path: '/settings/channels/connect' },
    { name: 'templates', path: '/settings/templates' },
    { name: 'template', path: '/settings/templates/pedido_enviado?language=pt_BR' },
    { name: 'new template', path: '/settings/templates/new' },
    { name: 'opt-outs', path: '/settings/opt-outs' },
    { name: 'api keys', path: '/settings/api-keys' },
    { name: 'webhooks', path: '/settings/webhooks' },
    { name: 'webhook', path: `/settings/webhooks/${webhook}` },
    { name: 'request log', path: '/settings/request-log' },
    { name: 'members', path: '/settings/members' },
    { name: 'audit log', path: '/settings/audit-log' },
    { name: 'profile', path: '/me' },
  ]
}

const readMsMax = 30_000
/** So long after the last of what a page reads something more may begin to be read. */
const quietMs = 250

/** Resolves when what the page reads is there and its transitions are over. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    ({ quietMs }) => {
      const isBusy = document.querySelector('[aria-busy="true"], .mantine-Loader-root') !== null
      const isThere = (document.querySelector('#content')?.textContent ?? '').trim() !== ''
      const marks = globalThis as { busyAt?: number }
      if (isBusy || !isThere) marks.busyAt = performance.now()
      return performance.now() - (marks.busyAt ?? 0) > quietMs
    },
    { quietMs },
    { timeout: readMsMax },
  )
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
