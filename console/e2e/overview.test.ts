import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Stage, signIn, startStage } from './support/console.ts'
import { expectAccessibleInBothSchemes, expectToFitPhone } from './support/schemes.ts'

let stage: Stage

beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage?.close())

test('a new account takes its first steps, which tick themselves off; the figures follow, and nothing is wrong', async () => {
  const { page, problems } = await stage.open()
  await signIn(page, stage.gateway.link)
  const home = page.url()
  const steps = page.getByRole('listitem')
  // The sandbox comes with keys and a number.
  await steps.filter({ hasText: 'Conecte um número (Feito)' }).waitFor()
  const command = (await page.getByRole('region', { name: 'Comando curl' }).textContent()) ?? ''
  expect(command).toContain(`curl '${stage.gateway.url}/v1/messages'`)
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  await stage.gateway.call('POST', '/messages', JSON.parse(/-d '(.*)'/.exec(command)?.[1] ?? '{}'))
  await steps.filter({ hasText: 'Envie a primeira mensagem (Feito)' }).waitFor()
  await stage.gateway.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/eventos', events: ['*'] })
  await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor({ state: 'hidden' })
  await page.reload()
  await page.locator('[data-figure="sent.total"]', { hasText: '1' }).waitFor()
  await page.getByText('Conectado', { exact: true }).waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)

  await page.goto(`${home}/alerts`)
  await page.getByText('Tudo em ordem').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  await page.goto(`${home}/settings/opt-outs`)
  await optOutAndLift(page)
  await loseToken()
  await page.goto(home)
  await page.getByRole('heading', { name: 'Precisa de você' }).waitFor()
  await page.getByText('Desconectado', { exact: true }).waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.goto(`${home}/alerts`)
  await dismiss(page)
  expect(problems).toEqual([])
})

/** The platform takes the number's token away, which a send finds out; a start looks at once for what is wrong. */
async function loseToken(): Promise<void> {
  const { gateway } = stage
  await gateway.simulate('numbers/118350927764405', { tokenRevoked: true })
  await gateway.call('POST', '/messages', { to: '5511987654321', type: 'text', text: { body: 'Oi' } })
  for (let isConnected = true; isConnected; ) {
    const { data } = (await gateway.call('GET', '/channels')) as { data: { status: string }[] }
    isConnected = data[0]?.status === 'connected'
  }
  await gateway.stop()
  await gateway.start()
}

async function dismiss(page: Page): Promise<void> {
  await page.getByText('Um número foi desconectado').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  await page.getByRole('button', { name: 'Dispensar: Um número foi desconectado' }).click()
  await page.getByText('Dispensado, mas ainda acontece').waitFor()
  await page.getByText('Tudo em ordem').waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('link', { name: 'Ver o número' }).click()
  await page.waitForURL(/\/settings\/channels\/ch_/)
}

async function optOutAndLift(page: Page): Promise<void> {
  const rows = page.getByRole('table', { name: 'Recusas de marketing' }).getByRole('row')
  await page.getByText('Ninguém recusou marketing').waitFor()
  await page.getByRole('button', { name: 'Incluir pessoa' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Telefone').fill('12')
  await dialog.getByRole('button', { name: 'Incluir' }).click()
  await dialog.getByText('Escreva o telefone com DDD', { exact: false }).waitFor()
  await expectAccessibleInBothSchemes(page)
  await dialog.getByLabel('Telefone').fill('(21) 99876-5432')
  await dialog.getByRole('button', { name: 'Incluir' }).click()
  await rows.filter({ hasText: '+55 21 99876-5432' }).waitFor()
  await stage.gateway.letWrite({ from: '5511987654321', text: 'oi' })
  await stage.gateway.call('POST', '/marketing-opt-outs', { phone: '+55 11 91234-5678' })
  await page.reload()
  await rows.filter({ hasText: '+55 11 91234-5678' }).waitFor()
  await page.getByLabel('Buscar por telefone').fill('(21) 99')
  await rows.filter({ hasText: '+55 11 91234-5678' }).waitFor({ state: 'hidden' })
  await rows.filter({ hasText: '+55 21 99876-5432' }).waitFor()
  await page.getByLabel('Buscar por telefone').fill('5521998765433')
  await page.getByText('Nenhuma recusa com este número').waitFor()
  await page.getByLabel('Buscar por telefone').fill('')
  await rows.filter({ hasText: '+55 11 91234-5678' }).waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  await page.getByRole('button', { name: 'Retirar a recusa de +55 21 99876-5432' }).click()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('button', { name: 'Retirar recusa' }).click()
  await rows.filter({ hasText: '+55 21 99876-5432' }).waitFor({ state: 'hidden' })
  const { data } = (await stage.gateway.call('GET', '/marketing-opt-outs')) as { data: { phone: string }[] }
  expect(data.map(({ phone }) => phone)).toEqual(['5511912345678'])
}
