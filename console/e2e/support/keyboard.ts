import type { Locator, Page } from 'playwright-core'

const tabsMax = 60

/** Reaches something with the tab key alone, and presses it. Throws when the key does not lead there. */
export async function pressByKeyboard(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await target.waitFor()
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return page.keyboard.press(key)
    await page.keyboard.press('Tab')
  }
  throw new Error(`the tab key does not lead to ${String(target)}`)
}
