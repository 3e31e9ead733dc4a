import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectAccessible, type Stage, signIn, startStage } from './support/console.ts'
import { expectAccessibleInBothSchemes } from './support/schemes.ts'
import { totp } from './support/totp.ts'

const password = 'quatro palavras bem simples'

let stage: Stage

beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage?.close())

test('signing in: by the link, with a password, with a second factor; and ending it elsewhere', async () => {
  const { page, problems } = await stage.open()
  const account = await byLink(page)
  const email = await setPassword(page, account)
  await signOutAndIn(page, account, email)
  const { secret, backupCodes } = await setUpTwoFactor(page)

  const elsewhere = await stage.open({ language: 'en', phone: true, dark: true })
  await withCode(elsewhere.page, email, secret)
  const third = await stage.open()
  await withBackupCode(third.page, email, backupCodes[0] ?? '')

  await endOthers(page, elsewhere.page)
  await stopTwoFactor(page, backupCodes[1] ?? '')
  expect([...problems, ...elsewhere.problems, ...third.problems]).toEqual([])
})

/** What opens links before people do spends nothing; the button does, once. */
async function byLink(page: Page): Promise<string> {
  await page.goto(stage.gateway.link)
  await page.getByTestId('open-link').waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.reload()
  await signIn(page, stage.gateway.link)
  const second = await stage.open()
  await second.page.goto(stage.gateway.link)
  await second.page.getByTestId('open-link').click()
  await second.page.getByRole('heading', { name: 'Este link não vale mais' }).waitFor()
  expect(second.problems).toEqual([])
  await second.context.close()
  return /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
}

async function setPassword(page: Page, account: string): Promise<string> {
  await page.goto(`/a/${account}/me`)
  const field = page.getByLabel('Nova senha')
  await field.fill('curta')
  await page.getByText('Faltam 5 caracteres').waitFor()
  await field.fill(password)
  await page.getByText('Senha boa').waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('button', { name: 'Criar a senha' }).click()
  await page.getByRole('button', { name: 'Trocar a senha' }).waitFor()
  return page.getByLabel('E-mail').inputValue()
}

/** Whoever is led to the sign-in comes back to where they wanted to go. */
async function signOutAndIn(page: Page, account: string, email: string): Promise<void> {
  await page.getByRole('button', { name: /Menu de/ }).click()
  await page.getByRole('menuitem', { name: 'Sair' }).click()
  await page.getByRole('heading', { name: 'Entrar' }).waitFor()
  await page.goto(`/a/${account}/me`)
  await page.waitForURL(/\/sign-in\?next=/)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill('outra senha qualquer')
  await page.keyboard.press('Enter')
  await page.getByText('E-mail ou senha incorretos').waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/a/${account}/me$`))
}

async function setUpTwoFactor(page: Page): Promise<{ secret: string; backupCodes: string[] }> {
  await page.getByRole('button', { name: 'Ativar', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Senha atual').fill(password)
  await page.keyboard.press('Enter')
  await dialog.getByRole('img', { name: /^Código QR/ }).waitFor()
  await expectAccessibleInBothSchemes(page)
  const secret = (await dialog.getByLabel('Chave para digitar').textContent()) ?? ''
  await dialog.getByLabel('Código de 6 dígitos').fill(totp(secret))
  await dialog.getByText('As duas etapas estão ativas').waitFor()
  const backupCodes = await dialog.getByRole('listitem').allTextContents()
  expect(backupCodes).toHaveLength(10)
  await expectAccessibleInBothSchemes(page)
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Baixar' }).click()])
  expect(file.suggestedFilename()).toBe('pombo-backup-codes.txt')
  await dialog.getByRole('button', { name: 'Já guardei' }).click()
  await page.getByRole('button', { name: 'Desativar' }).waitFor()
  return { secret, backupCodes }
}

async function withCode(page: Page, email: string, secret: string): Promise<void> {
  await givePassword(page, email, { email: 'E-mail', password: 'Password', button: 'Sign in' })
  const field = page.getByLabel('6-digit code')
  await field.fill('12')
  await expectAccessible(page)
  await field.fill(wrongCode(secret))
  await page.getByText(/^The code is not valid/).waitFor()
  await field.fill(totp(secret))
  await page.waitForURL(/\/a\/acc_/)
}

const wrongCode = (secret: string) => String((Number(totp(secret)) + 500_000) % 1_000_000).padStart(6, '0')

async function withBackupCode(page: Page, email: string, code: string): Promise<void> {
  await givePassword(page, email, { email: 'E-mail', password: 'Senha', button: 'Entrar' })
  await page.getByRole('button', { name: 'Usar um código reserva' }).click()
  await page.getByLabel('Código reserva').fill(code)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.waitForURL(/\/a\/acc_/)
}

async function givePassword(page: Page, email: string, words: { email: string; password: string; button: string }): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel(words.email).fill(email)
  await page.getByLabel(words.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: words.button, exact: true }).click()
}

/** What somebody else has open is out at the next click. */
async function endOthers(page: Page, other: Page): Promise<void> {
  await page.reload()
  const sessions = page.getByRole('list', { name: 'Sessões' })
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(3)
  await sessions.getByText('Este navegador').waitFor()
  await page.getByRole('button', { name: 'Encerrar as outras' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Encerrar as outras' }).click()
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
  await other.getByRole('button', { name: 'Menu', exact: true }).click()
  await other.getByRole('link', { name: 'Members' }).click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
}

async function stopTwoFactor(page: Page, backupCode: string): Promise<void> {
  await page.getByRole('button', { name: 'Desativar' }).click()
  await page.getByLabel('Código do aplicativo ou código reserva').fill(backupCode)
  await page.getByRole('dialog').getByRole('button', { name: 'Desativar' }).click()
  await page.getByRole('button', { name: 'Ativar', exact: true }).waitFor()
}

test('too many attempts: the button says how long to wait; a link is offered, and both languages', async () => {
  const { page, problems } = await stage.open({ language: 'en' })
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a guess of mine')
  for (let i = 0; i < 6; i++) {
    const answered = page.waitForResponse(/\/sign-in$/)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await answered
  }
  const wait = page.getByRole('button', { name: /^Try again in 0:\d\d$/ })
  await wait.waitFor()
  expect(await wait.isDisabled()).toBe(true)
  await expectAccessibleInBothSchemes(page)

  await page.getByRole('button', { name: 'Português' }).click()
  await page.getByText('Tentativas demais').waitFor()
  expect(await page.getAttribute('html', 'lang')).toBe('pt-BR')
  // Here is no mail, so that no link is offered.
  await page.getByText('Peça um link a quem cuida do servidor').waitFor()
  expect(await page.getByRole('button', { name: 'Receber um link por e-mail' }).count()).toBe(0)
  await expectAccessibleInBothSchemes(page)
  expect(problems).toEqual([])
})

test('a link of a person with a second factor asks for the code; after too many wrong ones it says that it is over', async () => {
  const { page, problems } = await stage.open()
  let tries = 0
  // As the server answers it; a second link comes only with another start.
  await page.route('**/console/api/sign-in/link/open', async (route) => {
    const { code } = route.request().postDataJSON() as { code?: string }
    if (code !== undefined) tries += 1
    if (code === undefined && tries < 2) return route.fulfill({ json: { second_factor: true } })
    return route.fulfill({ status: 401, json: { error: { code: 'unauthorized', message: '' } } })
  })
  await page.goto('/sign-in/link#0123456789012345678901234567890123456789012')
  await page.getByTestId('open-link').click()
  await page.getByLabel('Código de 6 dígitos').fill('123456')
  await page.getByText(/^O código não vale/).waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.getByLabel('Código de 6 dígitos').fill('654321')
  await page.getByRole('heading', { name: 'Este link não vale mais' }).waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('link', { name: 'Pedir outro link' }).click()
  await page.getByRole('heading', { name: 'Entrar por link' }).waitFor()
  expect(problems).toEqual([])
})
