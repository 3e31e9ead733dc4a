import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Usage } from '../src/api/generated/operations.ts'
import { type Stage, signIn, startStage } from './support/console.ts'
import { expectAccessibleInBothSchemes, expectToFitPhone } from './support/schemes.ts'

let stage: Stage

beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage?.close())

const template = (to: string, name: string, language: string, parameters: readonly string[]) =>
  stage.gateway.call('POST', '/messages', {
    to,
    type: 'template',
    template: { name, language, components: [{ type: 'body', parameters: parameters.map((text) => ({ type: 'text', text })) }] },
  })

/** The usage once all that was sent has ended, so that it stands still. */
async function settledUsage(total: number): Promise<Usage> {
  let before = ''
  for (;;) {
    const usage = (await stage.gateway.call('GET', '/usage')) as Usage
    const now = JSON.stringify(usage)
    if (usage.sent.total === total && usage.sent.queued === 0 && now === before) return usage
    before = now
    await new Promise((resolve) => setTimeout(resolve, 700))
  }
}

test('every figure of the page is the one of GET /usage, as numbers, as bars, as a table and as a file', async () => {
  const { call } = stage.gateway
  for (let i = 0; i < 3; i += 1) await call('POST', '/messages', { to: '5511987654321', type: 'text', text: { body: `Oi ${i}` } })
  for (const ending of ['131026', '131026', '131042', '000001', '000002', '777001', '777002'])
    await template(`5511970${ending}`, 'pedido_enviado', 'pt_BR', ['Ana', '1'])
  await template('5511970777003', 'oferta_da_semana', 'pt_BR', ['Ana', 'pães'])
  await template('5511970131049', 'oferta_da_semana', 'pt_BR', ['Ana', 'pães'])
  // A template that is not there is refused by the platform.
  await template('5511970777004', 'nao_existe', 'pt_BR', [])
  await stage.gateway.letWrite({ from: '5511987654321', text: 'Obrigada!' })
  const usage = await settledUsage(13)
  expect(usage.sent.failed).toBe(5)

  const { page, problems } = await stage.open()
  await signIn(page, stage.gateway.link)
  await page.goto(`${page.url()}/usage`)
  await page.getByRole('heading', { name: 'Plano' }).waitFor()
  expect(await figuresOf(page)).toEqual(figuresFrom(usage))
  await seeBars(page, usage)
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  await seeTables(page, usage)
  await seeFile(page, usage)
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('link', { name: 'Ver mensagens que falharam' }).click()
  await page.getByRole('table', { name: 'Mensagens' }).waitFor()
  expect(await page.getByRole('row').count()).toBe(1 + usage.sent.failed)
  expect(problems).toEqual([])
})

/** Everything that the page writes as a figure, by its name. */
const figuresOf = async (page: Page): Promise<Record<string, number>> =>
  Object.fromEntries(
    await page
      .locator('[data-figure]:not([data-figure^="team."])')
      .evaluateAll((each) => each.map((one) => [one.getAttribute('data-figure'), Number(one.textContent?.replaceAll('.', ''))])),
  )

function figuresFrom(usage: Usage): Record<string, number> {
  const { counted, franchise, remaining, over_franchise, sent, received } = usage
  return {
    ...{ counted, franchise, remaining, over_franchise, received },
    ...Object.fromEntries(Object.entries(sent).map(([part, amount]) => [`sent.${part}`, amount])),
    ...Object.fromEntries(usage.top_errors.map(({ code, count }) => [`error.${code}`, count])),
  }
}

/** One bar for each day; the arrow keys go to the last, which says today's figures. */
async function seeBars(page: Page, usage: Usage): Promise<void> {
  const bars = page.getByRole('group', { name: 'Por dia' }).getByRole('img')
  expect(await bars.count()).toBe(usage.by_day.length)
  await bars.first().focus()
  await page.keyboard.press('End')
  const today = usage.by_day.at(-1)
  expect(await bars.last().getAttribute('aria-label')).toContain(`${today?.counted} contados, ${today?.failed} falhas`)
  expect(await bars.last().evaluate((each) => each === document.activeElement)).toBe(true)
}

async function seeTables(page: Page, usage: Usage): Promise<void> {
  for (const name of ['Por dia', 'Por categoria, pela API'])
    await page
      .getByRole('radiogroup', { name: `Mostrar “${name}” como` })
      .getByText('Tabela')
      .click()
  const days = await page.getByRole('table', { name: 'Por dia' }).locator('tbody tr').all()
  expect(await Promise.all(days.map((row) => row.locator('td').allTextContents()))).toEqual(
    usage.by_day.map(({ counted, failed }) => [String(counted), String(failed)]),
  )
  const { meta_billable_by_category: billable, meta_free_by_category: free } = usage
  const categories = await page.getByRole('table', { name: 'Por categoria, pela API' }).locator('tbody tr').all()
  expect(await Promise.all(categories.map((row) => row.locator('td').allTextContents()))).toEqual(
    [...new Set([...Object.keys(billable), ...Object.keys(free)])]
      .toSorted()
      .map((category) => [String(billable[category] ?? 0), String(free[category] ?? 0)]),
  )
}

async function seeFile(page: Page, usage: Usage): Promise<void> {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Baixar CSV' }).click()])
  expect(saved.suggestedFilename()).toBe(`usage-${usage.month}.csv`)
  const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toEqual(['\ufeffdate;counted;failed', ...usage.by_day.map(({ date, counted, failed }) => `${date};${counted};${failed}`)])
}
