import type { Page } from 'playwright-core'
import { expectAccessible } from './console.ts'

/** No serious finding of axe on the page as it is now, in light and in dark, where only the colours are others. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await changeScheme(page, 'dark')
  await expectAccessible(page, 'body', 'colours')
  await changeScheme(page, 'light')
  await expectAccessible(page)
}

async function changeScheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
}

/** The page on a phone fits its width. Leaves the window as it was. */
export async function expectToFitPhone(page: Page): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 800 })
  await page.waitForFunction(() => document.documentElement.scrollWidth <= 360)
  await expectAccessible(page)
  if (before !== null) await page.setViewportSize(before)
}
