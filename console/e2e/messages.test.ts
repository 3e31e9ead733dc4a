import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Message } from '../src/api/generated/operations.ts'
import { type Stage, signIn, startStage } from './support/console.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { expectAccessibleInBothSchemes, expectToFitPhone } from './support/schemes.ts'

const maria = '5511987654321'
let stage: Stage
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
  stage = await startStage()
})
afterEach(async () => {
  await stage?.close()
  await receiver?.close()
})

const send = (body: object) => stage.gateway.call('POST', '/messages', body) as Promise<Message>
const text = (body: string, reference?: string) =>
  send({ to: maria, type: 'text', text: { body }, ...(reference === undefined ? {} : { client_reference: reference }) })
const template = (to: string, reference: string) =>
  send({ to, type: 'template', client_reference: reference, template: { name: 'hello_world', language: 'en_US' } })

/** The message once it has this status. */
async function reached({ id }: Message, status: Message['status']): Promise<Message> {
  for (;;) {
    const message = (await stage.gateway.call('GET', `/messages/${id}`)) as Message
    if (message.status === status) return message
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function openLog(page: Page): Promise<string> {
  await signIn(page, stage.gateway.link)
  const account = /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
  await page.goto(`/a/${account}/messages`)
  return account
}

test('the log: paged, filtered by its address, and messages found by any of their ids; why one failed, and that another arrived but was not told', async () => {
  await stage.gateway.call('POST', '/webhooks', { url: receiver.url, events: ['*'] })
  const failed = await reached(await template('5511900131026', 'pedido-1'), 'failed')
  for (let i = 1; i <= 52; i += 1) await text(`Aviso ${i}`)
  receiver.status = 503
  const delivered = await reached(await template('5511900000002', 'pedido-2'), 'delivered')
  const { page, problems } = await stage.open()
  await openLog(page)
  await seeFilters(page)
  await seePages(page)
  await findByIds(page, failed, delivered)
  await seeFailed(page, failed)
  await seeUntold(page, delivered)
  expect(problems).toEqual([])
})

const rows = (page: Page) => page.getByRole('table', { name: 'Mensagens' }).getByRole('row')

async function seePages(page: Page): Promise<void> {
  await page.getByText('Aviso 52').waitFor()
  expect(await rows(page).count()).toBe(51)
  await page.getByRole('button', { name: 'Mostrar mais' }).click()
  await page.getByText('Oi! Vocês entregam hoje?').waitFor()
  // All that were sent, what Maria wrote, and the head.
  expect(await rows(page).count()).toBe(56)
}

async function seeFilters(page: Page): Promise<void> {
  await rows(page).first().waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Falhou' })
  await page.waitForURL(/status=failed/)
  await rows(page).filter({ hasText: 'pedido-1' }).waitFor()
  expect(await rows(page).count()).toBe(2)
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
  // The address says it all.
  await page.reload()
  await rows(page).filter({ hasText: 'pedido-1' }).waitFor()
  expect(await rows(page).count()).toBe(2)
  await page.getByRole('button', { name: 'Limpar' }).click()
  await page.getByLabel('Telefone').fill('123')
  await page.getByText('Escreva o telefone com DDD', { exact: false }).first().waitFor()
  expect(await page.getByLabel('Telefone').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Telefone').fill('+55 11 90000-0002')
  await rows(page).filter({ hasText: 'pedido-2' }).waitFor()
  expect(await rows(page).count()).toBe(2)
  await page.getByRole('button', { name: 'Limpar' }).click()
  await page.getByLabel('Direção').selectOption({ label: 'Recebida' })
  await page.getByText('Oi! Vocês entregam hoje?').waitFor()
  expect(await rows(page).count()).toBe(2)
  await page.getByRole('button', { name: 'Hoje' }).click()
  await page.waitForURL(/from=\d{4}-\d\d-\d\d/)
  await page.getByText('Oi! Vocês entregam hoje?').waitFor()
  await page.getByLabel('Até').fill('2020-01-01')
  await page.getByText('Nenhuma mensagem com estes filtros').waitFor()
  await page.getByRole('button', { name: 'Limpar' }).click()
}

async function findByIds(page: Page, failed: Message, delivered: Message): Promise<void> {
  const open = page.getByLabel('Abrir pelo id ou referência')
  await open.fill('wamid.isso-nao-existe')
  await open.press('Enter')
  await page.getByText('Isto não existe mais').waitFor()
  await open.fill(delivered.wamid ?? '')
  await open.press('Enter')
  await page.waitForURL(new RegExp(`/messages/${delivered.id}`))
  await page.goBack()
  await open.fill('pedido-1')
  await open.press('Enter')
  await page.waitForURL(/reference=pedido-1/)
  await rows(page).filter({ hasText: 'pedido-1' }).waitFor()
  expect(await rows(page).count()).toBe(2)
  await open.fill(failed.id)
  await open.press('Enter')
  await page.waitForURL(new RegExp(`/messages/${failed.id}`))
}

async function seeFailed(page: Page, failed: Message): Promise<void> {
  await page.getByRole('heading', { name: 'Não foi possível entregar' }).waitFor()
  await page.getByText('código 131026').first().waitFor()
  const course = page.getByRole('list', { name: 'Por onde passou' }).getByRole('listitem')
  for (const step of ['Aceita', 'Na fila de envio', 'Chamada 1 ao WhatsApp: aceita', 'Enviada', 'Falhou'])
    await course.filter({ hasText: step }).first().waitFor()
  const told = course.filter({ hasText: 'message.failed' })
  await told.getByText('Entregue').waitFor()
  await told.getByText('HTTP 200').waitFor()
  await page.getByText('Seu sistema recebeu os avisos que pediu.').waitFor()
  expect(JSON.parse((await page.getByRole('region', { name: 'JSON da mensagem' }).textContent()) ?? '')).toMatchObject({
    id: failed.id,
    error: failed.error,
  })
  await expectAccessibleInBothSchemes(page)
  await expectToFitPhone(page)
}

async function seeUntold(page: Page, delivered: Message): Promise<void> {
  await page.goto(page.url().replace(/msg_[0-9a-f]+/, delivered.id))
  await page.getByRole('heading', { name: 'Chegou ao telefone' }).waitFor()
  await page.getByText('um webhook está falhando', { exact: false }).waitFor()
  const told = page.getByRole('listitem').filter({ hasText: 'message.delivered' })
  await told.getByText('Pendente').waitFor()
  await told.getByText('HTTP 503').waitFor()
  await page.getByRole('link', { name: 'Abrir conversa' }).click()
  await page.waitForURL(/\/inbox\/cnv_/)
}
