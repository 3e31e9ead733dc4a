import { createServer } from 'node:net'
import type { Cookie, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expectAccessible, type Stage, startStage, type Window } from './support/console.ts'

let stage: Stage
let account = ''
let maria = ''
let cookies: Cookie[] = []

beforeAll(async () => {
  // Files are shown from the gateway's own address, which must be known before it starts.
  stage = await startStage({ PORT: String(await freePort()) })
  const { context } = await stage.open()
  const token = stage.gateway.link.split('#')[1]
  await context.request.post('/console/api/sign-in/link/open', { data: { token }, headers: { origin: stage.gateway.url } })
  cookies = await context.cookies()
  const me = (await (await context.request.get('/console/api/me')).json()) as { accounts: { id: string }[] }
  account = me.accounts[0]?.id ?? ''
  maria = await vi.waitFor(
    async () => {
      const list = await context.request.get(`/console/api/accounts/${account}/conversations`)
      const [first] = ((await list.json()) as { data: { id: string }[] }).data
      if (first === undefined) throw new Error('the demo person has not written yet')
      return first.id
    },
    { timeout: 15_000, interval: 100 },
  )
  await context.close()
})
afterAll(() => stage?.close())

async function open(options: Parameters<Stage['open']>[0] = {}): Promise<Window> {
  const window = await stage.open(options)
  await window.context.addCookies(cookies)
  await window.page.goto(`/a/${account}/inbox/${maria}`)
  return window
}

/** Nothing went wrong in the page, and its window is shut. */
async function done({ context, problems }: Window): Promise<void> {
  expect(problems).toEqual([])
  await context.close()
}

const textBox = (page: Page) => page.getByRole('textbox', { name: 'Mensagem' })
const sendButton = (page: Page) => page.getByRole('button', { name: 'Enviar', exact: true })
const thread = (page: Page) => page.getByRole('log', { name: 'Conversa', exact: true })
const pending = (page: Page) => page.getByTestId('pending-send')
/** A shared machine may be slow. */
const eventually = <Value>(look: () => Value) => expect.poll(look, { timeout: 10_000 })
const nothingPending = (page: Page) => eventually(() => pending(page).count()).toBe(0)
const inThread = (page: Page, text: string) => thread(page).getByText(text)

type Sent = {
  id: string
  type: string
  text: string | null
  reply_to: string | null
  source: string
  media: { file_name: string | null } | null
}

/** What the contract's interface has of the demo's sends, newest first. */
async function sent(): Promise<Sent[]> {
  const answer = await fetch(`${stage.gateway.url}/v1/messages?limit=100&direction=outbound`, {
    headers: { authorization: `Bearer ${stage.gateway.liveKey}` },
  })
  return ((await answer.json()) as { data: Sent[] }).data
}

/** The composer is looked at for itself: the thread and the list have tests of their own. */
const expectComposerAccessible = (page: Page) => expectAccessible(page, '[data-composer]')
const expectDialogAccessible = (page: Page) => expectAccessible(page, '[role=dialog]')

const sentWith = async (text: string) => (await sent()).filter((each) => each.text === text)

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
)

test('a text with an emoji is there at once, then in the thread; what was not sent stays over a reload until the sign-out', async () => {
  const window = await open()
  const { page } = window
  await textBox(page).fill('Entregamos, sim ')
  await page.getByRole('button', { name: 'Emoji' }).click()
  await page.getByRole('textbox', { name: 'Buscar emojis' }).fill('joinha')
  await expectDialogAccessible(page)
  await page.getByRole('button', { name: /👍/ }).click()
  await eventually(() => textBox(page).inputValue()).toBe('Entregamos, sim 👍')
  await textBox(page).press('Shift+Enter')
  await textBox(page).pressSequentially('Até logo')
  await textBox(page).press('Enter')
  await pending(page).or(inThread(page, 'Até logo')).first().waitFor()
  expect(await textBox(page).inputValue()).toBe('')
  await inThread(page, 'Até logo').waitFor()
  await nothingPending(page)
  expect(await sentWith('Entregamos, sim 👍\nAté logo')).toMatchObject([{ type: 'text', source: 'chat' }])

  await textBox(page).fill('Um rascunho')
  await page.reload()
  await eventually(() => textBox(page).inputValue()).toBe('Um rascunho')
  const kept = () => page.evaluate(() => Object.values(localStorage).some((value) => value.includes('Um rascunho')))
  expect(await kept()).toBe(true)
  // The others of these journeys still need the session: only the page believes that it ended.
  await page.route('**/console/api/sign-out', (route) => route.fulfill({ status: 204 }))
  await page.getByRole('button', { name: /Menu de/ }).click()
  await page.getByRole('menuitem', { name: 'Sair' }).click()
  await eventually(kept).toBe(false)
  await done(window)
})

test('files come by button, by paste and by drag, and leave in their order with their captions; what cannot be sent says so', async () => {
  const window = await open()
  const { page } = window
  await textBox(page).fill('Seguem os arquivos')
  await page.locator('input[type=file]').setInputFiles([
    { name: 'foto.png', mimeType: 'image/png', buffer: png },
    { name: 'pacote.zip', mimeType: 'application/zip', buffer: Buffer.from('504b0304140000000000', 'hex') },
  ])
  await page.getByRole('alert').getByText('Este arquivo não pode ser enviado').waitFor()
  await page.getByText('Imagens (JPEG, PNG) até 5 MB', { exact: false }).waitFor()
  await expectComposerAccessible(page)
  await page.getByRole('button', { name: 'Tirar pacote.zip' }).click()
  await give(page, 'paste', 'colado.txt')
  await page.getByText('colado.txt').waitFor()
  await give(page, 'drop', 'solto.txt')
  await page.getByText('solto.txt').waitFor()
  await page.getByLabel('Legenda de foto.png').fill('A foto')
  await eventually(() => sendButton(page).isEnabled()).toBe(true)
  await page.getByLabel('Legenda de foto.png').press('Enter')
  await inThread(page, 'solto.txt').waitFor()
  await nothingPending(page)
  const newest = (await sent()).slice(0, 4).toReversed()
  expect(newest.map(({ type, text, media }) => [type, text, media?.file_name ?? null])).toEqual([
    ['text', 'Seguem os arquivos', null],
    ['image', 'A foto', 'foto.png'],
    ['document', null, 'colado.txt'],
    ['document', null, 'solto.txt'],
  ])
  await done(window)
})

test('an answer quotes, unless the quote is dropped', async () => {
  const window = await open({ dark: true })
  const { page } = window
  const quote = async () => {
    await thread(page).getByText('Oi! Vocês entregam hoje?').first().hover()
    await thread(page).getByRole('button', { name: 'Ações da mensagem' }).first().click()
    await page.getByRole('menuitem', { name: 'Responder' }).click()
    await page.getByTestId('reply-bar').getByText('Oi! Vocês entregam hoje?').waitFor()
  }
  await quote()
  await expectComposerAccessible(page)
  await page.getByRole('button', { name: 'Não citar' }).click()
  await eventually(() => page.getByTestId('reply-bar').count()).toBe(0)
  await quote()
  await textBox(page).fill('Hoje até as 20h')
  await textBox(page).press('Enter')
  await inThread(page, 'Hoje até as 20h').waitFor()
  expect(await page.getByTestId('reply-bar').count()).toBe(0)
  expect(await sentWith('Hoje até as 20h')).toMatchObject([{ reply_to: expect.stringMatching(/^msg_/) as string }])
  await done(window)
})

test('canned answers are written, used by the keyboard, changed and deleted; a note is for the team', async () => {
  const window = await open({ dark: true })
  const { page } = window
  await page.getByRole('button', { name: 'Respostas prontas' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Nova resposta' }).click()
  await dialog.getByLabel('Atalho').fill('horario')
  await dialog.getByLabel('Texto').fill('Abrimos das 7h às 20h.')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.getByText('/horario').waitFor()
  await expectDialogAccessible(page)
  await page.keyboard.press('Escape')

  await textBox(page).fill('/ho')
  await page.getByRole('option', { name: /horario/ }).waitFor()
  await textBox(page).press('Enter')
  expect(await textBox(page).inputValue()).toBe('Abrimos das 7h às 20h.')
  await textBox(page).press('Enter')
  await inThread(page, 'Abrimos das 7h às 20h.').waitFor()

  await page.getByRole('button', { name: 'Respostas prontas' }).click()
  await dialog.getByRole('button', { name: 'Editar /horario' }).click()
  await dialog.getByLabel('Atalho').fill('aberto')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.getByRole('button', { name: 'Excluir /aberto' }).click()
  await page.getByRole('button', { name: 'Excluir', exact: true }).click()
  await dialog.getByText('Nenhuma resposta pronta ainda').waitFor()
  await page.keyboard.press('Escape')

  await page.getByText('Nota interna', { exact: true }).click()
  const note = page.getByRole('textbox', { name: 'Nota interna' })
  await note.fill('Cliente antiga')
  await expectComposerAccessible(page)
  await note.press('Enter')
  await note.press('Enter')
  await inThread(page, 'Cliente antiga').waitFor()
  expect(await note.inputValue()).toBe('')
  expect(await thread(page).getByText('Cliente antiga').count()).toBe(1)
  await page.getByText('Mensagem', { exact: true }).click()
  expect(await sentWith('Cliente antiga')).toEqual([])
  await done(window)
})

test('outside the window a template is chosen, filled in and sent, on a phone too', async () => {
  const window = await open({ phone: true })
  const { page } = window
  await page.goto(`/a/${account}/inbox`)
  await page.getByRole('button', { name: 'Nova conversa' }).click()
  await page.getByLabel('Telefone').fill('123')
  await page.getByRole('button', { name: 'Escolher modelo' }).click()
  await page.getByText('Este telefone não existe').waitFor()
  // As every Brazilian writes it: shown in full before anything leaves, and nothing is made by looking.
  await page.getByLabel('Telefone').fill('21 99888-7766')
  await page.getByRole('button', { name: 'Escolher modelo' }).click()
  await page.getByTestId('recipient').getByText('+55 21 99888-7766 · novo contato').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).first().click()
  await page.reload()
  await page.getByRole('button', { name: 'Nova conversa' }).waitFor()
  expect(await page.getByText('+55 21 99888-7766').count()).toBe(0)
  await page.getByRole('button', { name: 'Nova conversa' }).click()
  await page.getByLabel('Telefone').fill('21 99888-7766')
  await page.getByRole('button', { name: 'Escolher modelo' }).click()
  await page.getByRole('textbox', { name: 'Buscar modelos' }).fill('pedido')
  await expectDialogAccessible(page)
  await page.getByRole('button', { name: /pedido_enviado/ }).click()
  await page.getByLabel('Variável 1').fill('João')
  await page.getByRole('button', { name: 'Enviar modelo' }).click()
  await page.getByText('Preencha 1 campo para enviar').waitFor()
  await page.getByLabel('Variável 2').fill('4711')
  await page.getByRole('figure').getByText('Olá, João! Seu pedido 4711 foi enviado.').waitFor()
  await expectDialogAccessible(page)
  await page.getByRole('button', { name: 'Enviar modelo' }).click()
  await inThread(page, 'Olá, João! Seu pedido 4711 foi enviado.').waitFor()
  await page.getByText('Janela fechada').waitFor()
  await page.getByText('Esta pessoa ainda não escreveu para você').waitFor()
  await expectComposerAccessible(page)

  await page.getByRole('button', { name: 'Escolher modelo' }).click()
  await page.getByRole('button', { name: /hello_world/ }).click()
  await page.getByRole('button', { name: 'Enviar modelo' }).click()
  await inThread(page, 'Welcome and congratulations!').waitFor()
  const templates = (await sent()).filter((each) => each.type === 'template')
  expect(templates.map(({ text }) => text)).toEqual(['hello_world (en_US)', 'pedido_enviado (pt_BR): João, 4711'])
  await done(window)
})

test('two clicks, two keys, a lost answer and a reload in the middle: one message each', async () => {
  const window = await open()
  const { page } = window
  await textBox(page).fill('Dois cliques')
  await sendButton(page).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await textBox(page).fill('Duas teclas')
  await textBox(page).evaluate((input) => {
    for (let i = 0; i < 2; i++) input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
  await inThread(page, 'Duas teclas').waitFor()

  // The gateway gets it, and the answer never comes.
  let cut = 1
  const keys = new Set<string | undefined>()
  await page.route('**/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.add(route.request().headers()['idempotency-key'])
    if (cut === 0) return route.continue()
    cut -= 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  await textBox(page).fill('Resposta perdida')
  await textBox(page).press('Enter')
  await inThread(page, 'Resposta perdida').waitFor()
  await eventually(() => cut).toBe(0)
  await nothingPending(page)
  expect(keys.size).toBe(1)

  // Now it never comes until somebody asks for it again.
  cut = 3
  await textBox(page).fill('Perdida três vezes')
  await textBox(page).press('Enter')
  await page.getByText('Não foi possível falar com o servidor').waitFor()
  await expectAccessible(page, '[data-pending]')
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await nothingPending(page)

  // It is under way when the page is left.
  await page.unrouteAll()
  let isHeld = false
  await page.route('**/messages', async (route) => {
    if (route.request().method() !== 'POST' || isHeld) return route.continue()
    await route.fetch()
    isHeld = true
  })
  await textBox(page).fill('Recarregada no meio')
  await textBox(page).press('Enter')
  await eventually(() => isHeld).toBe(true)
  await page.reload()
  await inThread(page, 'Recarregada no meio').waitFor()
  await nothingPending(page)
  for (const text of ['Dois cliques', 'Duas teclas', 'Resposta perdida', 'Perdida três vezes', 'Recarregada no meio'])
    expect([text, (await sentWith(text)).length]).toEqual([text, 1])
  await done(window)
})

test('a refusal keeps the text and says what to do', async () => {
  const window = await open({ language: 'en' })
  const { page } = window
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { error: { code: 'channel_not_connected', message: 'no', request_id: 'req_1' } } })
      : route.continue(),
  )
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('Good morning')
  await box.press('Enter')
  await page.getByText('Ask an admin to reconnect the number, then try again.').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  expect(await box.inputValue()).toBe('Good morning')
  expect(await pending(page).count()).toBe(0)
  await done(window)
})

test('the keyboard alone answers, and on a phone the button does', async () => {
  const window = await open()
  const { page } = window
  await textBox(page).waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Só com o teclado')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Buscar emojis' }).waitFor()
  await page.keyboard.type('festa')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await inThread(page, 'Só com o teclado').waitFor()
  await done(window)

  const phone = await open({ phone: true })
  await textBox(phone.page).fill('Do')
  await textBox(phone.page).press('End')
  await textBox(phone.page).press('Enter')
  await textBox(phone.page).pressSequentially('celular')
  expect(await textBox(phone.page).inputValue()).toBe('Do\ncelular')
  const { width = 0, height = 0 } = (await sendButton(phone.page).boundingBox()) ?? {}
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(40)
  await sendButton(phone.page).tap()
  await inThread(phone.page, 'celular').waitFor()
  await done(phone)
})

/** Pastes a file into the text area, or drops one onto the thread. */
async function give(page: Page, how: 'paste' | 'drop', name: string): Promise<void> {
  const data = await page.evaluateHandle((file) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([`Conteúdo de ${file}`], file, { type: 'text/plain' }))
    return transfer
  }, name)
  if (how === 'drop') return thread(page).dispatchEvent('drop', { dataTransfer: data })
  await textBox(page).evaluate(
    (input, clipboardData) => input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })),
    data,
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
