import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeOfAllKinds } from './support/all-kinds.ts'
import { expectAccessible, type Stage, signIn, startStage, type Window } from './support/console.ts'
import { expectAccessibleInBothSchemes } from './support/schemes.ts'

let stage: Stage
let inbox: string

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.close())

const carla = { from: '5511970000001', name: 'Carla Souza' }
const diego = { from: '5511970000002', name: 'Diego Ramos' }

let agent: Window
let other: Window

test('a person writes: it appears by itself, is read, closed, and open again with their next message', async () => {
  agent = await stage.open()
  await signIn(agent.page, stage.gateway.link)
  inbox = `${/\/a\/acc_[0-9a-f]{32}/.exec(agent.page.url())?.[0] ?? ''}/inbox`
  const { page } = agent
  await page.goto(inbox)
  await row(page, 'Maria Silva').waitFor()

  await stage.gateway.letWrite({ ...carla, text: 'Vocês entregam no Butantã?' })
  await row(page, 'Carla Souza').getByLabel('1 não lida').waitFor()
  await row(page, 'Carla Souza').click()
  await thread(page).getByText('Vocês entregam no Butantã?').waitFor()
  await row(page, 'Carla Souza').getByLabel('1 não lida').waitFor({ state: 'detached' })

  await stage.gateway.letWrite({ ...carla, text: 'E quanto custa?' })
  await thread(page).getByText('E quanto custa?').waitFor()

  await page.keyboard.press('e')
  await page.getByRole('button', { name: 'Reabrir' }).waitFor()
  await row(page, 'Carla Souza').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Adiadas e encerradas' }).click()
  await page.getByRole('menuitem', { name: 'Encerradas' }).click()
  await row(page, 'Carla Souza').waitFor()
  await page.getByRole('button', { name: 'Abertas' }).click()
  await stage.gateway.letWrite({ ...carla, text: 'Ainda estão aí?' })
  await row(page, 'Carla Souza').waitFor()
  await page.getByRole('button', { name: 'Encerrar', exact: true }).waitFor()
  expect(agent.problems).toEqual([])
})

test('two agents see at once who has taken a conversation, its labels and its notes', async () => {
  other = await stage.open({ language: 'en', width: 1500 })
  await signIn(other.page, await stage.gateway.letIn({ email: 'bia@example.com', name: 'Bia Costa', role: 'agent' }))
  await other.page.goto(inbox)
  await row(other.page, 'Carla Souza').click()

  await agent.page.getByRole('button', { name: 'Assumir' }).click()
  await agent.page.getByRole('menuitem', { name: 'Bia Costa' }).click()
  await other.page.getByRole('button', { name: 'With Bia Costa' }).waitFor()
  await other.page.getByRole('button', { name: /^Mine/ }).click()
  await row(other.page, 'Carla Souza').waitFor()

  await other.page.getByRole('button', { name: 'Labels' }).click()
  await other.page.getByLabel('Find or create a label').fill('VIP')
  await other.page.keyboard.press('Enter')
  await other.page.keyboard.press('Escape')
  await row(agent.page, 'Carla Souza').getByText('VIP').waitFor()

  await other.page.getByRole('button', { name: 'Details', exact: true }).click()
  await other.page.getByLabel('Write a note for the team').fill('Cliente antiga, dar *desconto*.')
  await other.page.getByRole('button', { name: 'Save note' }).click()
  await thread(agent.page).getByText('Nota de Bia Costa').waitFor()
  expect([...agent.problems, ...other.problems]).toEqual([])
})

test('what happens while the line is down is there once it is up again', async () => {
  const { page, context } = agent
  await row(page, 'Carla Souza').click()
  await context.setOffline(true)
  await stage.gateway.letWrite({ ...carla, text: 'Primeira enquanto caiu' })
  await stage.gateway.letWrite({ ...diego, text: 'Oi, sou novo aqui' })
  await stage.gateway.letWrite({ ...carla, text: 'Segunda enquanto caiu' })
  await page.getByText('Reconectando').waitFor()
  await context.setOffline(false)
  await thread(page).getByText('Primeira enquanto caiu').waitFor()
  await thread(page).getByText('Segunda enquanto caiu').waitFor()
  await row(page, 'Diego Ramos').waitFor()
  await page.getByText('Reconectando').waitFor({ state: 'detached' })

  await stage.gateway.stop()
  await page.getByText('Reconectando').waitFor()
  await stage.gateway.start()
  await stage.gateway.letWrite({ ...carla, text: 'Depois do reinício' })
  await thread(page).getByText('Depois do reinício').waitFor()
  expect(agent.problems).toEqual([])
})

test('a search finds people and words without accents, and opens the thread at the message', async () => {
  const { page } = agent
  await stage.gateway.letWrite({ ...diego, text: 'Preciso de uma cotação até sexta' })
  await row(page, 'Diego Ramos').getByText('cotação').waitFor()
  await page.locator('body').click({ position: { x: 640, y: 20 } })
  await page.keyboard.press('/')
  await page.getByLabel('Buscar pessoas e mensagens').fill('cotacao')
  await page.getByRole('region', { name: 'Mensagens' }).locator('mark', { hasText: 'cotação' }).click()
  await thread(page).locator('[data-found]').getByText('Preciso de uma cotação até sexta').waitFor()
  await page.getByLabel('Buscar pessoas e mensagens').fill('carl')
  await page.getByRole('region', { name: 'Pessoas' }).getByText('Carla Souza').click()
  await thread(page).getByText('Ainda estão aí?').waitFor()
  await page.getByRole('button', { name: 'Limpar a busca' }).click()
  expect(agent.problems).toEqual([])
})

test('every kind of message is shown as what it is, in light and dark', async () => {
  await writeOfAllKinds(stage.gateway)
  const { page } = agent
  await row(page, 'Maria Silva').click()
  const said = (text: string | RegExp) => thread(page).getByText(text).first()
  await said('Tudo certo, obrigada!').waitFor()
  for (const text of [
    'Pode ser às 14h30?',
    'Mensagem apagada',
    'Pedido com 2 itens',
    'Preencheu o formulário',
    'Casa da Maria',
    'Comprovante.pdf',
  ])
    await upTo(page, text)
  await upTo(page, 'Bom dia!')
  await thread(page).getByRole('list', { name: 'Reações' }).waitFor()
  expect(await thread(page).locator('strong', { hasText: 'cenoura' }).count()).toBe(1)
  expect(await thread(page).getByRole('link', { name: 'https://loja.example/bolos' }).getAttribute('rel')).toContain('noopener')
  await expectAccessibleInBothSchemes(page)
  await reactTo(page, 'Bom dia!')
  await page.getByRole('button', { name: 'Detalhes', exact: true }).click()
  await page.getByRole('dialog').getByText('Notas internas').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  expect(agent.problems).toEqual([])
})

test('on a phone there is one thing at a time, with a way back', async () => {
  const phone = await stage.open({ phone: true })
  await phone.context.addCookies(await agent.context.cookies())
  const { page } = phone
  await page.goto(inbox)
  await row(page, 'Carla Souza').waitFor()
  await expectAccessible(page)
  await row(page, 'Carla Souza').tap()
  await thread(page).getByText('Depois do reinício').waitFor()
  expect(await page.getByRole('region', { name: 'Conversas' }).count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Voltar às conversas' }).tap()
  await row(page, 'Maria Silva').waitFor()
  expect(phone.problems).toEqual([])
})

const row = (page: Page, name: string) => page.getByRole('list').getByRole('link').filter({ hasText: name })
const thread = (page: Page) => page.getByRole('log')

/** Gives a message a thumb, by the keyboard, and looks into its menu. */
async function reactTo(page: Page, text: string): Promise<void> {
  const line = thread(page).locator('[data-message]').filter({ hasText: text }).first()
  await line.getByRole('button', { name: 'Reagir' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Reagir com 👍' }).click()
  await line.getByRole('list', { name: 'Reações' }).getByText('👍').waitFor()
  await line.getByRole('button', { name: 'Ações da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Ver o caminho da mensagem' }).waitFor()
  await page.keyboard.press('Escape')
}

/** Scrolls the thread up until a text is there. */
async function upTo(page: Page, text: string): Promise<void> {
  const wanted = thread(page).getByText(text).first()
  await thread(page).hover()
  await expect
    .poll(
      async () => {
        if (await wanted.isVisible()) return true
        await page.mouse.wheel(0, -350)
        return false
      },
      { timeout: 15_000, interval: 120 },
    )
    .toBe(true)
}
