import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { launch } from './browser.ts'
import { type Gateway, startGateway } from './gateway.ts'

/** A gateway and a browser. For one test where the test uses up what a start gives, such as its link: tried again, it needs another. */
export type Stage = {
  gateway: Gateway
  browser: Browser
  /** A browser window of its own, with cookies of its own; what goes wrong in its pages fails the test at `close`. */
  open(options?: { width?: number; height?: number; language?: 'pt-BR' | 'en'; dark?: boolean; phone?: boolean }): Promise<Window>
  close(): Promise<void>
}

export type Window = { context: BrowserContext; page: Page; problems: string[] }

export async function startStage(settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const [gateway, browser] = await Promise.all([startGateway(settings), launch(inject('chromium'))])
  return {
    gateway,
    browser,
    async open({ width = 1280, height = 800, language = 'pt-BR', dark = false, phone = false } = {}) {
      const context = await browser.newContext({
        baseURL: gateway.url,
        locale: language,
        timezoneId: 'America/Sao_Paulo',
        colorScheme: dark ? 'dark' : 'light',
        // What fades in has other colours on the way: nobody's eyes, and axe's, are to depend on the moment.
        reducedMotion: 'reduce',
        viewport: phone ? { width: 390, height: 844 } : { width, height },
        ...(phone ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
      })
      context.setDefaultTimeout(15_000)
      const page = await context.newPage()
      return { context, page, problems: watch(page) }
    },
    async close() {
      await browser.close()
      await gateway.close()
    },
  }
}

/** What a page complains of: exceptions, refusals by its policy, failed loads. Answers of 401 and 404 are part of the product. */
function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) problems.push(message.text())
  })
  return problems
}

/** Signs in by the one-time link that the start printed, or another one. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByTestId('open-link').click()
  await page.waitForURL(/\/a\/acc_/)
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** No serious finding of axe on the page as it is now, or on the part of it that a selector names; of the colours alone, if asked so. */
export async function expectAccessible(page: Page, part = 'body', of: 'everything' | 'colours' = 'everything'): Promise<void> {
  // In one page: its other mode opens a second one for each look, which takes longer than the look. Nothing here has a foreign frame.
  const look = new AxeBuilder({ page })
    .setLegacyMode()
    .include(part)
    .options({ resultTypes: ['violations'] })
  const { violations } = await (of === 'colours' ? look.withRules('color-contrast') : look.withTags(standards)).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const found = serious.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.any[0]?.message ?? ''}`))
  expect(found).toEqual([])
}
