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
  await expect.poll(() => newest(), { timeout: 40_000, interval: 500 }).toMatch(/^9999:/)
  await page.goto(`${/\/a\/acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''}/inbox`)
  await page.getByRole('list').getByRole('link').filter({ hasText: 'Beatriz Longa' }).click()
  await page.getByRole('log').getByText('9999:').waitFor()

  // As fast as a hand on a trackpad: what is loaded keeps up.
  const { frames, oldest } = await page.evaluate(scrollUp, { seconds: 12, pixelsPerFrame: 400 })
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  console.log(
    `frames ${frames.length}, median ${at(0.5)} ms, 95% ${at(0.95)} ms, 99% ${at(0.99)} ms, longest ${at(0.9999)} ms, up to message ${oldest}`,
  )
  expect(at(0.5)).toBeLessThan(frameMsMax)
  expect(oldest).toBeLessThan(count - 500)
  await page.getByRole('button', { name: 'Ir para o fim' }).click()
  await page.getByRole('log').getByText('9999:').waitFor()
  expect(problems).toEqual([])
})

async function newest(): Promise<string> {
  const { data } = (await stage.gateway.call('GET', '/messages?limit=1')) as { data: { text: string | null }[] }
  return data[0]?.text ?? ''
}

/** Scrolls up for some seconds, and answers how long each frame took and the lowest number of a message that is shown. */
async function scrollUp({ seconds, pixelsPerFrame }: { seconds: number; pixelsPerFrame: number }) {
  const scroller = document.querySelector('[role="log"] [data-virtuoso-scroller]')
  if (scroller === null) throw new Error('there is no thread')
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
  const numbers = [...document.querySelectorAll('[role="log"] [data-message]')].map((each) =>
    Number(/(\d+):/.exec(each.textContent ?? '')?.[1]),
  )
  return { frames, oldest: Math.min(...numbers.filter((each) => !Number.isNaN(each))) }
}
