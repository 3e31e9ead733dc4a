import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectAccessible, type Stage, signIn, startStage } from './support/console.ts'
import { runSql } from './support/database.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { expectAccessibleInBothSchemes, expectToFitPhone } from './support/schemes.ts'

let stage: Stage
let receiver: Receiver
let folder: string

beforeEach(async () => {
  receiver = await startReceiver()
  folder = await mkdtemp(join(tmpdir(), 'pombo-sample-'))
  stage = await startStage()
})
afterEach(async () => {
  await stage?.close()
  await receiver?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the life of a webhook: a receiver that fails, retries by hand, another secret, an end', async () => {
  const { page, problems } = await stage.open()
  await signIn(page, stage.gateway.link)
  const account = /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
  await page.goto(`/a/${account}/settings/webhooks`)
  const { secret, isFromPombo } = await make(page)
  await failAndRetry(page)
  expect(isSigned(isFromPombo, secret)).toBe(true)
  expect(isSigned(isFromPombo, `${secret}x`)).toBe(false)
  await retryAll(page)
  const newSecret = await rotate(page)
  await sendTest(page, 'Entregue')
  expect([secret, newSecret].map((each) => isSigned(isFromPombo, each))).toEqual([true, true])
  await disable(page)
  await remove(page)
  expect(problems).toEqual([])
})

type IsFromPombo = (header: string, body: Buffer, secret: string) => boolean

/** The last receipt, looked at by the code that the console shows. */
function isSigned(isFromPombo: IsFromPombo, secret: string): boolean {
  const last = receiver.receipts.at(-1)
  return last !== undefined && isFromPombo(String(last.headers['service-signature']), last.body, secret)
}

async function make(page: Page): Promise<{ secret: string; isFromPombo: IsFromPombo }> {
  await page.getByText('Nenhum webhook').waitFor()
  await page.getByRole('button', { name: 'Criar webhook' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Criar webhook' })
  const url = dialog.getByRole('textbox', { name: 'Endereço' })
  await url.fill('ftp://erp.example')
  await dialog.getByRole('button', { name: 'Criar webhook' }).click()
  await dialog.getByText('Use um endereço público que comece com https://').waitFor()
  expect(await url.getAttribute('aria-invalid')).toBe('true')
  await dialog.getByRole('radio', { name: 'Só os que eu escolher' }).check()
  await dialog.getByRole('checkbox', { name: 'Mensagem falhou' }).check()
  await expectAccessible(page)
  await url.fill(receiver.url)
  await dialog.getByRole('textbox', { name: 'Descrição' }).fill('ERP')
  await dialog.getByRole('button', { name: 'Criar webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Segredo do webhook' })
  const secret = (await shown.getByLabel('Segredo do webhook').textContent()) ?? ''
  const sample = (await shown.getByRole('region', { name: 'Exemplo de conferência' }).textContent()) ?? ''
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Já guardei' }).click()
  await page.getByRole('heading', { name: 'ERP' }).waitFor()
  const file = join(folder, 'sample.mjs')
  await writeFile(file, sample)
  const { isFromPombo } = (await import(pathToFileURL(file).href)) as { isFromPombo: IsFromPombo }
  return { secret, isFromPombo }
}

/** Sends a test event and waits, without a reload, for what becomes of it. Leaves its drawer open. */
async function sendTest(page: Page, outcome: string) {
  await page.getByRole('button', { name: 'Enviar teste' }).click()
  const drawer = page.getByRole('dialog', { name: 'Chegou uma mensagem' })
  await drawer.getByText(outcome, { exact: true }).waitFor()
  return drawer
}

async function failAndRetry(page: Page): Promise<void> {
  receiver.status = 500
  const drawer = await sendTest(page, 'Será tentada de novo')
  await drawer.getByText('HTTP 500').waitFor()
  await drawer.getByRole('region', { name: 'Resposta da tentativa 1' }).getByText('em manutenção').waitFor()
  await drawer.getByRole('region', { name: 'Conteúdo enviado' }).getByText('"type": "message.received"').waitFor()
  await expectAccessible(page)
  await expectToFitPhone(page)
  receiver.status = 200
  await drawer.getByRole('button', { name: 'Tentar de novo' }).click()
  await drawer.getByText('Entregue', { exact: true }).waitFor()
  await drawer.getByText('Manual').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
}

/** What has failed for good, which takes the ladder half a day. */
async function retryAll(page: Page): Promise<void> {
  receiver.status = 500
  const drawer = await sendTest(page, 'Será tentada de novo')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await page.getByText('Falhando').waitFor()
  const webhookId = /whk_([0-9a-f]{32})/.exec(page.url())?.[1] ?? ''
  const ladderOver = `update delivery set status = 'failed', attempt = 6, next_at = null where webhook_id = $1 and status = 'pending'`
  await runSql(stage.gateway, ladderOver, [webhookId])
  receiver.status = 200
  await page.getByRole('combobox', { name: 'Filtrar por entrega' }).click()
  await page.getByRole('option', { name: 'Falhou' }).click()
  await page.getByRole('row', { name: 'message.received Falhou HTTP 500' }).waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  await page.getByRole('button', { name: 'Repetir as que falharam' }).click()
  await page.getByRole('button', { name: 'Última hora' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Repetir', exact: true }).click()
  await page.getByText('1 entrega será repetida').waitFor()
  await page.getByText('Nenhuma entrega com este filtro').waitFor({ timeout: 20_000 })
  await page.locator('[aria-label="Limpar filtro"]').click()
  await page.getByText('Ativo', { exact: true }).waitFor({ timeout: 20_000 })
}

async function rotate(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Trocar segredo' }).click()
  await page.getByRole('radio', { name: 'Em 24 horas' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Trocar segredo' }).click()
  const shown = page.getByRole('dialog', { name: 'Segredo novo do webhook' })
  const secret = (await shown.getByLabel('Segredo novo do webhook').textContent()) ?? ''
  await shown.getByRole('button', { name: 'Já guardei' }).click()
  await shown.waitFor({ state: 'hidden' })
  return secret
}

async function disable(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Desativar' }).click()
  await page.getByText('Desativado', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Webhooks' }).last().click()
  await page.getByRole('row', { name: 'ERP' }).getByText('Desativado').waitFor()
  await page.getByRole('row', { name: 'ERP' }).getByText('2 eventos').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
}

async function remove(page: Page): Promise<void> {
  await page.getByRole('row', { name: 'ERP' }).getByRole('link').click()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Apagar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar' }).click()
  await page.getByText('Nenhum webhook').waitFor()
}
