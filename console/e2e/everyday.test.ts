import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, type Stage, signIn, startStage, type Window } from './support/console.ts'

// What people do all day without thinking of it: going from page to page, writing, coming back.
let stage: Stage
let window: Window
let account: string

const bea = { from: '5511970000011', name: 'Beatriz Nunes' }
const caio = { from: '5511970000012', name: 'Caio Prado' }

beforeAll(async () => {
  stage = await startStage()
  window = await stage.open({ width: 1440 })
  await signIn(window.page, stage.gateway.link)
  account = /acc_[0-9a-f]{32}/.exec(window.page.url())?.[0] ?? ''
  for (const who of [bea, caio]) await stage.gateway.letWrite({ ...who, text: 'Primeira pergunta' })
})
afterAll(() => stage?.close())

const row = (page: Page, name: string) => page.getByRole('list').getByRole('link').filter({ hasText: name })
const thread = (page: Page) => page.getByRole('log', { name: 'Conversa' })
const composer = (page: Page) => page.getByRole('textbox', { name: 'Mensagem', exact: true })

/** Opens the conversation with somebody, from the list. */
async function openThread(page: Page, name: string): Promise<void> {
  await page.goto(`/a/${account}/inbox`)
  await row(page, name).click()
  await composer(page).waitFor()
}

test('the tab is called after each page of the menu, and after the open conversation with how many wait', async () => {
  const { page } = window
  await page.goto(`/a/${account}/usage`)
  const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
  await menu.first().waitFor()
  const names = await menu.allTextContents()
  expect(names).toHaveLength(13)
  for (const name of [...names, 'Atendimento', 'Uso', 'Atendimento', 'Mensagens']) {
    await menu.filter({ hasText: new RegExp(`^${name}$`) }).click()
    await expect.poll(() => page.title()).toMatch(new RegExp(`^(\\(\\d+\\) )?${name} · Pombo$`))
    if (name !== 'Atendimento') expect(await page.title()).not.toContain('(')
  }
  await page.goto(`/a/${account}/inbox`)
  await row(page, bea.name).waitFor()
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) Atendimento · Pombo$/)
  await row(page, bea.name).click()
  await expect.poll(() => page.title()).toMatch(/Beatriz Nunes · Atendimento · Pombo$/)
  await page.goto(`/a/${account}/nothing-here`)
  await expect.poll(() => page.title()).toBe('Não há nada aqui · Pombo')
  expect(window.problems).toEqual([])
})

/** Whether the newest line of the thread is wholly in sight. */
async function isEndSeen(page: Page): Promise<boolean> {
  return thread(page).evaluate((log) => {
    const last = [...log.querySelectorAll('[data-message], article')].at(-1)
    const scroller = log.querySelector('[data-virtuoso-scroller]')
    if (last === undefined || scroller === null) return false
    return last.getBoundingClientRect().bottom <= scroller.getBoundingClientRect().bottom + 1
  })
}

/** Scrolls up until there is a way back to the end. */
async function scrollUp(page: Page): Promise<void> {
  await thread(page).hover()
  const toEnd = page.getByRole('button', { name: 'Ir para o fim' })
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -400)
      return toEnd.isVisible()
    })
    .toBe(true)
}

test('what one sends or notes is seen at once, also by who has scrolled up, and the end stays in sight while the composer grows', async () => {
  const { page } = window
  for (let i = 1; i <= 30; i += 1) await stage.gateway.letWrite({ ...bea, text: `Linha ${i}` })
  await openThread(page, bea.name)
  await thread(page).getByText('Linha 30', { exact: true }).waitFor()
  await expect.poll(() => isEndSeen(page)).toBe(true)

  await scrollUp(page)
  await composer(page).fill('Já respondo!')
  await page.keyboard.press('Enter')
  await thread(page).getByText('Já respondo!').waitFor()
  await expect.poll(() => isEndSeen(page)).toBe(true)

  await composer(page).fill(Array.from({ length: 8 }, (_, i) => `linha ${i}`).join('\n'))
  await expect.poll(() => isEndSeen(page)).toBe(true)
  await composer(page).fill('')
  const last = thread(page).locator('[data-message]').last()
  await last.getByRole('button', { name: 'Ações da mensagem' }).click()
  await page.getByRole('menuitem', { name: 'Responder' }).click()
  await page.getByTestId('reply-bar').waitFor()
  await expect.poll(() => isEndSeen(page)).toBe(true)
  await page.keyboard.press('Escape')

  await scrollUp(page)
  const what = page.getByRole('radiogroup', { name: 'O que escrever' })
  await what.getByText('Nota interna').click()
  await page.getByRole('textbox', { name: 'Nota interna' }).fill('Cliente antiga')
  await page.keyboard.press('Enter')
  await thread(page).getByText('Cliente antiga').waitFor()
  await expect.poll(() => isEndSeen(page)).toBe(true)
  await what.getByText('Mensagem').click()
  expect(window.problems).toEqual([])
})

test('the keyboard leads out of the composer, to the next conversation, and to any page or person', async () => {
  const { page } = window
  await openThread(page, bea.name)
  await composer(page).focus()
  await page.keyboard.press('Escape')
  await expectFocus(row(page, bea.name))
  await page.keyboard.press('r')
  await expectFocus(composer(page))
  // Who writes goes on writing in the next one.
  const before = page.url()
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => page.url()).not.toBe(before)
  await expectFocus(composer(page))
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => page.url()).toBe(before)
  await expectFocus(composer(page))

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Ir para uma página ou conversa' })
  await expectFocus(palette)
  await palette.fill('caio')
  await page.getByRole('option', { name: caio.name }).first().waitFor()
  await expectAccessible(page, '[role="dialog"]')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.title()).toContain(caio.name)
  await page.keyboard.press('Control+k')
  await palette.fill('chaves')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Chaves de API' }).waitFor()
  expect(window.problems).toEqual([])
})

const expectFocus = (target: Locator) => expect.poll(() => target.evaluate((each) => each === document.activeElement)).toBe(true)

test('a row is a link, and opens from anywhere on it', async () => {
  const { page, context } = window
  await page.goto(`/a/${account}/messages`)
  const first = page.getByRole('table', { name: 'Mensagens' }).getByRole('row').nth(1)
  await first.getByRole('link').waitFor()
  expect(await first.getByRole('link').getAttribute('href')).toMatch(/\/messages\/msg_[0-9a-f]{32}$/)
  const opened = context.waitForEvent('page')
  await first.getByRole('cell').nth(2).click({ button: 'middle', force: true })
  const tab = await opened
  await tab.waitForURL(/\/messages\/msg_/)
  await tab.close()
  // A moment has a hint of its own, and opens the row all the same.
  await first.locator('time').click()
  await page.waitForURL(/\/messages\/msg_/)
  await page.goto(`/a/${account}/settings/templates`)
  const template = page.getByRole('row').filter({ hasText: 'pedido_enviado' }).getByRole('link')
  expect(await template.getAttribute('href')).toContain('/settings/templates/pedido_enviado')
  expect(window.problems).toEqual([])
})

test('a call of the request log opens, with its error, and leads to the message that it sent', async () => {
  const { page } = window
  const sent = (await stage.gateway.call('POST', '/messages', { to: bea.from, type: 'text', text: { body: 'Pela API' } })) as { id: string }
  await stage.gateway.call('GET', `/messages/msg_${'0'.repeat(32)}`).catch(() => {})
  const log = `/a/${account}/settings/request-log`
  const calls = page.getByRole('table').getByRole('row')
  const drawer = page.getByRole('dialog', { name: 'Chamada' })
  const openFirst = (status: string) =>
    calls
      .filter({ has: page.getByText(status, { exact: true }) })
      .first()
      .getByRole('button')
      .first()
      .click()
  const link = drawer.getByRole('link', { name: 'Ver a mensagem' })
  // Calls are written down a moment later, together.
  await expect
    .poll(async () => {
      await page.goto(log)
      await openFirst('202')
      return link.getAttribute('href')
    })
    .toContain(sent.id)
  await page.goto(log)
  await openFirst('404')
  await drawer.getByText('not_found').waitFor()
  await expectAccessible(page, '[role="dialog"]')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await openFirst('202')
  await link.click()
  await page.waitForURL(new RegExp(`/messages/${sent.id}`))
  expect(window.problems).toEqual([])
})
