import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromiumFolder, launch, unpackChromium } from './support/browser.ts'
import { startGateway } from './support/gateway.ts'

// `npm run screenshots -w console -- [folder] [part of a page's name]`: every page on two widths, in light and dark, to be looked at.
// Uses the console as it was built last.
const [, , folder = 'screenshots', only = ''] = process.argv
const root = fileURLToPath(new URL('../..', import.meta.url))

const pages: readonly (readonly [name: string, path: string])[] = [
  ['home', ''],
  ['inbox', '/inbox'],
  ['messages', '/messages'],
  ['usage', '/usage'],
  ['alerts', '/alerts'],
  ['channels', '/settings/channels'],
  ['connect', '/settings/channels/connect'],
  ['templates', '/settings/templates'],
  ['new-template', '/settings/templates/new'],
  ['opt-outs', '/settings/opt-outs'],
  ['api-keys', '/settings/api-keys'],
  ['webhooks', '/settings/webhooks'],
  ['request-log', '/settings/request-log'],
  ['members', '/settings/members'],
  ['audit-log', '/settings/audit-log'],
  ['profile', '/me'],
]

const views = [
  { name: 'wide', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
] as const

/** What a page shows once it has read what it needs. */
const settledMs = 700

await mkdir(folder, { recursive: true })
const gateway = await startGateway()
const browser = await launch(await unpackChromium(chromiumFolder(root)))
try {
  const state = await signedIn(browser)
  for (const view of views)
    for (const colorScheme of ['light', 'dark'] as const) {
      const { name, ...device } = view
      const context = await browser.newContext({
        baseURL: gateway.url,
        locale: 'pt-BR',
        storageState: state.storage,
        colorScheme,
        ...device,
      })
      await shootAll(context, state.account, `${name}-${colorScheme}`)
      await context.close()
    }
} finally {
  await browser.close()
  await gateway.close()
}

async function signedIn(from: Browser) {
  const context = await from.newContext({ baseURL: gateway.url, locale: 'pt-BR' })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await shoot(page, 'sign-in')
  await page.goto(gateway.link)
  await page.getByTestId('open-link').click()
  await page.waitForURL(/\/a\/acc_/)
  const account = /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
  const storage = await context.storageState()
  await context.close()
  return { account, storage }
}

async function shootAll(context: BrowserContext, account: string, suffix: string): Promise<void> {
  const page = await context.newPage()
  for (const [name, path] of pages.filter(([each]) => each.includes(only))) {
    await page.goto(`/a/${account}${path}`)
    await shoot(page, `${name}-${suffix}`)
    if (name !== 'inbox') continue
    await page.getByRole('list').getByRole('link').first().click()
    await shoot(page, `thread-${suffix}`)
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(settledMs)
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
