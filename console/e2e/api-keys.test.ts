import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectAccessible, type Stage, signIn, startStage } from './support/console.ts'
import { pressByKeyboard } from './support/keyboard.ts'
import { expectAccessibleInBothSchemes, expectToFitPhone } from './support/schemes.ts'

let stage: Stage

beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage?.close())

test('the life of a key, by the keyboard alone: made, shown once, used, seen in the log, revoked', async () => {
  const { page, problems } = await stage.open()
  await signIn(page, stage.gateway.link)
  const account = /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
  await page.goto(`/a/${account}/settings/api-keys`)
  const key = await make(page)
  const requestIds = [await callWith(key, '/messages', 200), await callWith(key, '/templates', 403)]
  await seeUse(page)
  await seeCalls(page, account, requestIds)
  await page.goto(`/a/${account}/settings/api-keys`)
  await revoke(page)
  await callWith(key, '/messages', 401)
  expect(problems).toEqual([])
})

async function make(page: Page): Promise<string> {
  await pressByKeyboard(page, page.getByRole('button', { name: 'Criar chave' }))
  const dialog = page.getByRole('dialog', { name: 'Criar chave' })
  await dialog.getByRole('textbox', { name: 'Nome' }).waitFor()
  await page.keyboard.type('ERP')
  await pressByKeyboard(page, dialog.getByRole('radio', { name: 'Produção' }), 'Space')
  await pressByKeyboard(page, dialog.getByRole('radio', { name: 'Tudo', exact: true }), 'ArrowDown')
  await expectAccessible(page)
  await pressByKeyboard(page, dialog.getByRole('checkbox', { name: 'Ler mensagens' }), 'Space')
  await pressByKeyboard(page, dialog.getByRole('button', { name: 'Criar chave' }))
  const shown = page.getByRole('dialog', { name: 'Sua chave nova' })
  const key = (await shown.getByLabel('Sua chave nova').textContent()) ?? ''
  const example = (await shown.getByRole('region', { name: 'Exemplo de chamada' }).textContent()) ?? ''
  expect(example).toContain(`curl '${stage.gateway.url}/v1/messages?limit=5'`)
  expect(example).toContain(`Bearer ${key}`)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await pressByKeyboard(page, shown.getByRole('button', { name: 'Já guardei' }))
  await shown.waitFor({ state: 'hidden' })
  expect(await page.content()).not.toContain(key)
  return key
}

/** Calls the contract's interface, and answers the id of the call. */
async function callWith(key: string, path: string, status: number): Promise<string> {
  const answer = await fetch(`${stage.gateway.url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(status)
  return answer.headers.get('request-id') ?? ''
}

/** What was used is written within a minute, or when the gateway stops: a restart is no trouble of the page's. */
async function seeUse(page: Page): Promise<void> {
  const row = page.getByRole('row', { name: 'ERP' })
  await row.getByText('Nunca').waitFor()
  await row.getByText('Ler mensagens').waitFor()
  await stage.gateway.stop()
  await stage.gateway.start()
  await page.reload()
  await row.waitFor()
  expect(await row.getByText('Nunca').count()).toBe(0)
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
}

async function seeCalls(page: Page, account: string, requestIds: readonly string[]): Promise<void> {
  await page.goto(`/a/${account}/settings/request-log`)
  for (const id of requestIds) await page.getByTitle(id).waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  await page.getByRole('combobox', { name: 'Filtrar por resposta' }).click()
  await page.getByRole('option', { name: 'Recusada (4xx)' }).click()
  await page.getByTitle(requestIds[0] ?? '').waitFor({ state: 'hidden' })
  await page.getByRole('row', { name: 'GET /v1/templates 403' }).waitFor()
  await page.getByRole('combobox', { name: 'Filtrar por chave' }).click()
  await page.getByRole('option', { name: 'ERP' }).click()
  await page.getByRole('combobox', { name: 'Filtrar por rota' }).fill('/v1/channels')
  await page.getByText('Nenhuma chamada com este filtro').waitFor()
}

async function revoke(page: Page): Promise<void> {
  await pressByKeyboard(page, page.getByRole('button', { name: 'Revogar ERP' }))
  const dialog = page.getByRole('dialog', { name: 'Revogar “ERP”?' })
  await pressByKeyboard(page, dialog.getByRole('button', { name: 'Revogar', exact: true }))
  await page.getByRole('table', { name: 'Chaves revogadas' }).getByText('ERP').waitFor()
  await expectAccessible(page)
}
