import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectAccessible, type Stage, signIn, startStage } from './support/console.ts'
import { expectAccessibleInBothSchemes, expectToFitPhone } from './support/schemes.ts'

const number = { phoneNumberId: '118350927764499', wabaId: '204817396550199', displayDigits: '5511400289991', token: 'EAAthe-right-one' }

let stage: Stage

beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage?.close())

test('a number is connected: a wrong token is told with what to do, then the first notice comes; it is checked, disconnected, connected', async () => {
  const { page, problems } = await stage.open()
  await signIn(page, stage.gateway.link)
  const account = /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
  await stage.gateway.simulate('numbers', { ...number, verifiedName: 'Padaria Estrela' })
  await page.goto(`/a/${account}/settings/channels`)
  await page.getByRole('row', { name: '+55 11 4002-8922' }).getByText('Conectado').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  await page.getByRole('link', { name: 'Conectar número' }).click()
  await connect(page)
  await lookAfter(page)
  expect(problems).toEqual([])
})

async function connect(page: Page): Promise<void> {
  await page.getByRole('heading', { name: '1. Identificação do número de telefone' }).waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('button', { name: 'Continuar' }).click()
  expect(await page.getByLabel('URL de callback').textContent()).toMatch(/\/upstream\/notices$/)
  expect(await page.getByLabel('Token de verificação').textContent()).not.toBe('')
  await expectAccessible(page)
  await expectToFitPhone(page)
  await page.getByRole('button', { name: 'Continuar' }).click()

  await page.getByLabel('Identificação do número de telefone').fill('11 8350')
  await page.getByLabel('Identificação da conta').fill(number.wabaId)
  await page.getByRole('textbox', { name: 'Token de acesso' }).fill('EAAa-wrong-one')
  await page.getByRole('button', { name: 'Conferir e conectar' }).click()
  await page.getByText('É o id do número, só dígitos').waitFor()
  await page.getByLabel('Identificação do número de telefone').fill(number.phoneNumberId)
  await page.getByRole('button', { name: 'Conferir e conectar' }).click()
  const steps = page.getByRole('list', { name: 'O que foi conferido' })
  await steps.getByText('A Meta não aceita este token').waitFor()
  await page.getByText('Ainda não está conectado').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)

  await page.getByRole('textbox', { name: 'Token de acesso' }).fill(number.token)
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByText('está conectado', { exact: false }).waitFor()
  const firstNotice = steps.getByRole('listitem').filter({ hasText: 'Primeiro aviso' })
  await firstNotice.getByText('esperando').waitFor()
  await expectAccessible(page)
  await stage.gateway.simulate('inbound', {
    from: '5511987650000',
    name: 'Ana',
    text: 'oi',
    phone_number_id: number.phoneNumberId,
  })
  await firstNotice.getByText('certo').waitFor()
  await page.getByRole('link', { name: 'Ver o número' }).click()
}

async function lookAfter(page: Page): Promise<void> {
  await page.getByText('+55 11 40028-9991').waitFor()
  await page.getByRole('button', { name: 'Verificar agora' }).click()
  const steps = page.getByRole('list', { name: 'O que foi conferido' })
  await steps.getByText('Registro na API da nuvem · certo').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)

  await page.getByRole('button', { name: 'Desconectar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Desconectar' }).click()
  await page.getByText('Este número não pode enviar').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Trocar token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Trocar token' })
  await dialog.getByRole('textbox', { name: 'Token de acesso' }).fill('EAAa-wrong-one')
  await dialog.getByRole('button', { name: 'Testar e trocar' }).click()
  await dialog.getByText('A Meta não aceita este token').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Token de acesso' }).fill(number.token)
  await dialog.getByRole('button', { name: 'Testar e trocar' }).click()
  await page.getByText('Conectado', { exact: true }).waitFor()
}
