import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions } from 'playwright-core'
import { chromiumFolder, launch, unpackChromium } from './support/browser.ts'
import { fillWithExtremes } from './support/extremes.ts'
import { startGateway } from './support/gateway.ts'
import { layoutFaults } from './support/layout-faults.ts'
import { layoutPages, settle } from './support/layout-pages.ts'

// `npm run layout -w console -- [part of a page's name] [folder for pictures]`: every page in both languages and on seven widths, with long
// names and large counts; prints each control that is cut, covered or off screen, and fails when there is one. Uses the console as built last.
const [, , only = '', folder = ''] = process.argv
const root = fileURLToPath(new URL('../..', import.meta.url))
const people = 1_100

const devices: readonly { widths: readonly number[]; height: number; options: BrowserContextOptions }[] = [
  { widths: [360, 390, 430], height: 844, options: { isMobile: true, hasTouch: true } },
  { widths: [1024, 1280, 1440, 1920], height: 900, options: {} },
]

if (folder !== '') await mkdir(folder, { recursive: true })
const gateway = await startGateway()
const browser = await launch(await unpackChromium(chromiumFolder(root)))
/** The places of each fault. */
const found = new Map<string, string[]>()
try {
  const first = await browser.newContext({ baseURL: gateway.url, locale: 'pt-BR' })
  const page = await first.newPage()
  await page.goto(gateway.link)
  await page.getByTestId('open-link').click()
  await page.waitForURL(/\/a\/acc_/)
  const account = /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
  const pages = layoutPages(await fillWithExtremes(gateway, { page, account, people })).filter(({ name }) => name.includes(only))
  const storageState = await first.storageState()
  await first.close()
  for (const locale of ['pt-BR', 'en'])
    for (const { widths, height, options } of devices) {
      const context = await browser.newContext({ baseURL: gateway.url, locale, storageState, reducedMotion: 'reduce', ...options })
      const shown = await context.newPage()
      for (const { name, path, open } of pages) {
        await shown.setViewportSize({ width: widths[0] ?? 0, height })
        await shown.goto(`/a/${account}${path}`)
        await settle(shown)
        await open?.(shown)
        for (const width of widths) {
          await shown.setViewportSize({ width, height })
          await settle(shown)
          await shown.evaluate(() => document.querySelector('#content')?.scrollTo(0, 0))
          if (folder !== '') await shown.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}-${locale}-${width}.png`) })
          for (const fault of await layoutFaults(shown)) {
            const place = `${name} ${locale} ${width}`
            found.set(fault, [...(found.get(fault) ?? []), place])
          }
        }
      }
      await context.close()
    }
} finally {
  await browser.close()
  await gateway.close()
}
for (const [fault, places] of found) console.log(`${fault}\n    ${places.join(', ')}`)
console.log(found.size === 0 ? 'Nothing is cut, covered or off screen.' : `${found.size} faults.`)
process.exitCode = found.size === 0 ? 0 : 1
