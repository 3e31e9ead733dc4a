import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stage, signIn, startStage } from './support/console.ts'
import { longThread } from './support/long-thread.ts'

const count = 10_000
/** The usual frame. Those in which older messages come in take longer, how much is the machine's matter: they are told, not judged. */
const frameMsMax = 50

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.close())

test('a thread of 10,000 messages is scrolled from its end to its beginning without a stutter', async () => {
  const { page, problems } = await stage.open()
  await Promise.all([signIn(page, stage.gateway.link), longThread(stage.gateway, count)])
  await expect.poll(() => received(), { timeout: 60_000, interval: 500 }).toBeGreaterThanOrEqual(count)
  await page.goto(`${/\/a\/acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''}/inbox`)
  await page.getByRole('list').getByRole('link').filter({ hasText: 'Beatriz Longa' }).click()
  // The batches of notices are worked through side by side: any may be the last.
  const { data } = (await stage.gateway.call('GET', '/messages?limit=1')) as { data: { id: string }[] }
  const newest = page.locator(`[data-message="${data[0]?.id ?? ''}"]`)
  await newest.waitFor()

  // As fast as a hand on a trackpad: what is loaded keeps up.
  const { frames, lines } = await page.evaluate(scrollUp, { seconds: 12, pixelsPerFrame: 400 })
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  console.log(
    `frames ${frames.length}, median ${at(0.5)} ms, 95% ${at(0.95)} ms, 99% ${at(0.99)} ms, longest ${at(0.9999)} ms, ${lines} lines up`,
  )
  expect(at(0.5)).toBeLessThan(frameMsMax)
  expect(lines).toBeGreaterThan(500)
  await page.getByRole('button', { name: 'Ir para o fim' }).click()
  await newest.waitFor()
  expect(problems).toEqual([])
})

/** How many messages the gateway has taken in. */
async function received(): Promise<number> {
  return ((await stage.gateway.call('GET', '/usage')) as { received: number }).received
}

/** Scrolls up for some seconds, and answers how long each frame took and how many lines it came up. */
async function scrollUp({ seconds, pixelsPerFrame }: { seconds: number; pixelsPerFrame: number }) {
  const scroller = document.querySelector('[role="log"] [data-virtuoso-scroller]')
  if (scroller === null) throw new Error('there is no thread')
  // Lines keep their numbers while others are put before them.
  const first = () => Number(scroller.querySelector('[data-item-index]')?.getAttribute('data-item-index'))
  const from = first()
  const frames: number[] = []
  const until = performance.now() + seconds * 1000
  let last = performance.now()
  await new Promise<void>((resolve) => {
    const frame = (now: number) => {
      frames.push(now - last)
      last = now
      scroller.scrollTop -= pixelsPerFrame
      if (now < until) requestAnimationFrame(frame)
      else resolve()
    }
    requestAnimationFrame(frame)
  })
  return { frames, lines: from - first() }
}
