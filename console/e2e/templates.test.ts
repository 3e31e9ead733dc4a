import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Template } from '../src/api/generated/operations.ts'
import { type Stage, signIn, startStage } from './support/console.ts'
import { expectAccessibleInBothSchemes, expectToFitPhone } from './support/schemes.ts'

let stage: Stage

beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage?.close())

test('the life of a template: found, written with its preview, refused with the reason at its field, approved, deleted; another is rejected', async () => {
  const { page, problems } = await stage.open()
  await signIn(page, stage.gateway.link)
  await page.goto(`${page.url()}/settings/templates`)
  await search(page)
  await write(page)
  await seeApproved(page)
  await remove(page)
  await seeRejected(page)
  expect(problems).toEqual([])
})

const row = (page: Page, name: string) => page.getByRole('table', { name: 'Modelos' }).getByRole('row').filter({ hasText: name })

async function search(page: Page): Promise<void> {
  await row(page, 'hello_world').waitFor()
  await page.getByLabel('Categoria').selectOption({ label: 'Marketing' })
  await row(page, 'hello_world').waitFor({ state: 'hidden' })
  await row(page, 'oferta_da_semana').waitFor()
  await page.getByLabel('Idioma').selectOption('en_US')
  await row(page, 'oferta_da_semana').waitFor({ state: 'hidden' })
  await page.getByLabel('Idioma').selectOption('')
  await page.getByLabel('Categoria').selectOption('')
  await page.getByLabel('Buscar').fill('seu pedido')
  await page.waitForURL(/q=seu/)
  await row(page, 'hello_world').waitFor({ state: 'hidden' })
  await row(page, 'pedido_enviado').getByText('Aprovado').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
}

async function write(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Novo modelo' }).click()
  const text = page.getByLabel('Texto da mensagem')
  const says = (words: string) => expect.poll(() => text.inputValue()).toBe(words)
  await text.fill('Olá, ')
  await page.getByRole('button', { name: 'Inserir variável' }).click()
  await says('Olá, {{1}}')
  await page.keyboard.type('! Sua entrega chega ')
  await says('Olá, {{1}}! Sua entrega chega ')
  await page.getByRole('button', { name: 'Inserir variável' }).click()
  await says('Olá, {{1}}! Sua entrega chega {{2}}')
  await page.keyboard.type('.')
  const preview = page.getByRole('figure', { name: 'Prévia da mensagem' })
  await preview.getByText('Olá, {{1}}! Sua entrega chega {{2}}.').waitFor()
  await page.getByRole('button', { name: 'Enviar para análise' }).click()
  // Without a name, which the gateway refuses; then without examples, which the platform says.
  await page.getByText('Só letras minúsculas sem acento', { exact: false }).first().waitFor()
  expect(await page.getByLabel('Nome').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Nome').fill('Entrega Chega')
  expect(await page.getByLabel('Nome').inputValue()).toBe('entrega_chega')
  await page.getByLabel('Exemplo de {{1}}').fill('Ana')
  await page.getByLabel('Exemplo de {{2}}').fill('amanhã')
  await preview.getByText('Olá, Ana! Sua entrega chega amanhã.').waitFor()
  await page.getByLabel('Tipo de cabeçalho').selectOption({ label: 'Imagem' })
  await page.getByRole('button', { name: 'Enviar para análise' }).click()
  await page.getByText(/O WhatsApp diz: .*O componente HEADER está sem os campos esperados/).waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.getByLabel('Tipo de cabeçalho').selectOption({ label: 'Texto' })
  await page.getByLabel('Texto do cabeçalho').fill('Boa notícia')
  await page.getByLabel('Rodapé').fill('Padaria Estrela')
  await page.getByRole('button', { name: 'Adicionar botão' }).click()
  await page.getByRole('menuitem', { name: 'Abrir site' }).click()
  await page.getByLabel('Texto do botão').fill('Acompanhar')
  await page.getByLabel('Endereço').fill('https://padaria.example/p/{{1}}')
  await page.getByLabel('Exemplo do endereço').fill('https://padaria.example/p/4711')
  await preview.getByText('https://padaria.example/p/4711').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  await page.getByRole('button', { name: 'Enviar para análise' }).click()
}

async function seeApproved(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'entrega_chega' }).waitFor()
  await page.getByText('Aprovado').waitFor()
  await page.getByRole('figure').getByText('Olá, Ana! Sua entrega chega amanhã.').waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  const { data } = (await stage.gateway.call('GET', '/templates/entrega_chega')) as { data: Template[] }
  expect(data).toMatchObject([
    {
      ...{ language: 'pt_BR', category: 'UTILITY', parameter_format: 'POSITIONAL' },
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Boa notícia' },
        { type: 'BODY', text: 'Olá, {{1}}! Sua entrega chega {{2}}.', example: { body_text: [['Ana', 'amanhã']] } },
        { type: 'FOOTER', text: 'Padaria Estrela' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Acompanhar', url: 'https://padaria.example/p/{{1}}' }] },
      ],
    },
  ])
}

async function remove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Apagar' }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessibleInBothSchemes(page)
  await dialog.getByRole('button', { name: 'Apagar modelo' }).click()
  await row(page, 'hello_world').waitFor()
  expect(await row(page, 'entrega_chega').count()).toBe(0)
}

async function seeRejected(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Novo modelo' }).click()
  await page.getByLabel('Nome').fill('aviso_rejected')
  await page.getByLabel('Categoria').selectOption({ label: 'Marketing' })
  await page.getByLabel('Texto da mensagem').fill('Promoção hoje.')
  await page.getByRole('button', { name: 'Enviar para análise' }).click()
  await page.getByText('O WhatsApp recusou').waitFor()
  await page.getByText('(INVALID_FORMAT)', { exact: false }).waitFor()
  await expectAccessibleInBothSchemes(page)
}
