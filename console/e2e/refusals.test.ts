import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, type Stage, signIn, startStage } from './support/console.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.close())

test('no sentence of the server is on a page in Portuguese, whatever it refuses: only behind details that are closed', async () => {
  const { page, problems } = await stage.open()
  const said = listen(page)
  await signIn(page, stage.gateway.link)
  const account = /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
  const at = (path: string) => page.goto(`/a/${account}${path}`)

  await at('/settings/templates/new')
  await page.getByRole('button', { name: 'Enviar para análise' }).click()
  await refused(page, said, 'Só letras minúsculas sem acento')

  await at('/settings/webhooks')
  await page.getByRole('button', { name: 'Criar webhook' }).first().click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Endereço' }).fill('banana')
  await page.getByRole('dialog').getByRole('button', { name: 'Criar webhook' }).click()
  await refused(page, said, 'Use um endereço público')

  await at('/settings/opt-outs')
  await page.getByRole('button', { name: 'Incluir pessoa' }).click()
  await page.getByRole('dialog').getByLabel('Telefone').fill('20 98765-4321')
  await page.getByRole('dialog').getByRole('button', { name: 'Incluir' }).click()
  await refused(page, said, 'Escreva o telefone com DDD')

  await at('/settings/members')
  await page.getByRole('button', { name: 'Sair da conta' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sair da conta' }).click()
  await refused(page, said, 'A conta precisa de pelo menos um dono')

  await at('/messages?phone=123')
  await refused(page, said, 'Escreva o telefone com DDD')
  await expectAccessible(page, 'main')
  expect(problems).toEqual([])
})

/** The sentences of every refusal that this page has been answered so far. */
function listen(page: Page): Set<string> {
  const said = new Set<string>()
  page.on('response', async (response) => {
    if (response.status() < 400 || !response.url().includes('/console/api/')) return
    const body = (await response.json().catch(() => null)) as { error?: { message: string; details?: { message: string }[] } } | null
    for (const sentence of [body?.error?.message, ...(body?.error?.details ?? []).map(({ message }) => message)])
      if (sentence !== undefined) said.add(sentence)
  })
  return said
}

/** Waits for the refusal in Portuguese; then what a reader sees has none of the server's sentences. */
async function refused(page: Page, said: ReadonlySet<string>, words: string): Promise<void> {
  await page.getByText(words, { exact: false }).first().waitFor()
  await expect.poll(() => said.size).toBeGreaterThan(0)
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not read by anybody
  const shown = await page.locator('body').innerText()
  expect([...said].filter((sentence) => shown.includes(sentence))).toEqual([])
}
