import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stage, signIn, startStage } from './support/console.ts'
import { fillWithExtremes } from './support/extremes.ts'
import { layoutFaults } from './support/layout-faults.ts'
import { type LayoutPage, layoutPages, settle } from './support/layout-pages.ts'

// The small version of `npm run layout -w console`: what people work in all day, on the narrowest and the usual widths.
let stage: Stage
let account: string
let pages: readonly LayoutPage[]

beforeAll(async () => {
  stage = await startStage()
  const { page } = await stage.open()
  await signIn(page, stage.gateway.link)
  account = /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
  pages = layoutPages(await fillWithExtremes(stage.gateway, { page, account, people: 120 }))
}, 180_000)
afterAll(() => stage?.close())

test.for([
  ['pt-BR', [360, 390]],
  ['en', [360]],
  ['pt-BR', [1024, 1440]],
  ['en', [1024]],
] as const)('long names and large counts cut, cover or push out no control, in %s at %o px', async ([locale, widths]) => {
  const isPhone = widths[0] < 700
  const options: BrowserContextOptions = isPhone ? { isMobile: true, hasTouch: true } : {}
  const [first] = stage.browser.contexts()
  const storageState = await first?.storageState()
  const context = await stage.browser.newContext({
    baseURL: stage.gateway.url,
    locale,
    reducedMotion: 'reduce',
    ...(storageState === undefined ? {} : { storageState }),
    ...options,
  })
  const page = await context.newPage()
  const found: string[] = []
  for (const { name, path } of pages.filter(({ name }) => worked.includes(name))) {
    await page.setViewportSize({ width: widths[0], height: 844 })
    await page.goto(`/a/${account}${path}`)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      await settle(page)
      found.push(...(await layoutFaults(page)).map((fault) => `${name} ${width}: ${fault}`))
    }
  }
  await context.close()
  expect(found).toEqual([])
})

const worked = ['inbox', 'thread 2', 'messages', 'request log', 'members']
