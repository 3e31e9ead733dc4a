import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Stage, signIn, startStage } from './support/console.ts'
import { expectAccessibleInBothSchemes } from './support/schemes.ts'

const password = 'quatro palavras bem simples'

let stage: Stage

beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage?.close())

test('a second person is invited, joins, does as much as their role lets them, is removed, and comes back', async () => {
  const { page: owner, problems } = await stage.open()
  await signIn(owner, stage.gateway.link)
  const account = /acc_[0-9a-f]{32}/.exec(owner.url())?.[0] ?? ''
  await owner.goto(`/a/${account}/settings/members`)
  await revokeOne(owner)
  const link = await invite(owner, 'bia@example.com', 'Atendente')

  const { page: bia, problems: hers } = await stage.open({ language: 'en' })
  await join(bia, link)
  await changeRoles(owner, bia, account)
  await readAuditLog(bia, account)
  await refuseSecondInvitation(owner)
  await removed(owner, bia)
  await comeBack(owner, bia)
  expect([...problems, ...hers]).toEqual([])
})

/** What is taken back is worth nothing. */
async function revokeOne(owner: Page): Promise<void> {
  const link = await invite(owner, 'carlos@example.com', 'Leitor')
  await owner.getByRole('button', { name: 'Cancelar o convite de carlos@example.com' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Cancelar', exact: true }).last().click()
  await owner.getByText('Nenhum convite aberto').waitFor()
  const { page, problems } = await stage.open({ phone: true })
  await page.goto(link)
  await page.getByRole('heading', { name: 'Este convite não vale mais' }).waitFor()
  await expectAccessibleInBothSchemes(page)
  expect(problems).toEqual([])
  await page.context().close()
}

/** The path of the invitation, at the address under which the gateway is reached here. */
async function invite(owner: Page, email: string, role: string): Promise<string> {
  await owner.getByRole('button', { name: 'Convidar', exact: true }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel('E-mail da pessoa').fill(email)
  await dialog.getByRole('radio', { name: role }).check()
  await dialog.getByRole('button', { name: 'Convidar' }).click()
  const link = new URL((await dialog.getByLabel('Link do convite').textContent()) ?? '')
  if (role === 'Atendente') await expectAccessibleInBothSchemes(owner)
  await dialog.getByRole('button', { name: 'Fechar' }).last().click()
  await dialog.waitFor({ state: 'hidden' })
  return `${link.pathname}${link.hash}`
}

async function join(bia: Page, link: string): Promise<void> {
  await bia.goto(link)
  await bia.getByText('To join Loja Exemplo as Agent.').waitFor()
  await expectAccessibleInBothSchemes(bia)
  await bia.getByLabel('Your name').fill('Bia Souza')
  await bia.getByLabel('Choose a password').fill(password)
  await bia.keyboard.press('Enter')
  await bia.waitForURL(/\/a\/acc_/)
  await bia.getByRole('link', { name: 'Marketing opt-outs' }).waitFor()
  expect(await bia.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
}

/** Her pages shrink and grow with her role, when she comes again. */
async function changeRoles(owner: Page, bia: Page, account: string): Promise<void> {
  await owner.reload()
  await changeRole(owner, 'Leitor')
  await bia.goto(`/a/${account}/settings/members`)
  await bia.getByRole('cell', { name: 'Bia Souza' }).waitFor()
  await bia.getByRole('link', { name: 'Numbers' }).waitFor()
  expect(await bia.getByRole('link', { name: 'Marketing opt-outs' }).count()).toBe(0)
  expect(await bia.getByRole('button', { name: /Invite|Change role|Remove/ }).count()).toBe(0)
  await expectAccessibleInBothSchemes(bia)
  await changeRole(owner, 'Administrador')
  await bia.reload()
  await bia.getByRole('link', { name: 'Audit log' }).waitFor()
}

async function changeRole(owner: Page, role: string): Promise<void> {
  await owner.getByRole('button', { name: 'Mudar papel de Bia Souza' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('radio', { name: role }).check()
  await dialog.getByRole('button', { name: 'Mudar papel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await owner
    .getByRole('row', { name: /Bia Souza/ })
    .getByText(role)
    .waitFor()
}

async function readAuditLog(bia: Page, account: string): Promise<void> {
  await bia.goto(`/a/${account}/settings/audit-log`)
  const log = bia.getByRole('table', { name: 'Audit log' })
  await expect.poll(() => log.getByRole('row', { name: /Changed somebody's role/ }).count()).toBe(2)
  await expect.poll(() => log.getByRole('row', { name: /Changed somebody's role Bia Souza · bia@example.com · \w+ Demo/ }).count()).toBe(2)
  expect(await log.getByRole('row', { name: /Took an invitation back/ }).count()).toBe(1)
  expect(await log.getByRole('row', { name: /Accepted an invitation.*bia@example.com/ }).count()).toBe(1)
  await expectAccessibleInBothSchemes(bia)
}

async function refuseSecondInvitation(owner: Page): Promise<void> {
  await owner.getByRole('button', { name: 'Convidar', exact: true }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByLabel('E-mail da pessoa').fill('BIA@example.com')
  await dialog.getByRole('button', { name: 'Convidar' }).click()
  await dialog.getByRole('alert').waitFor()
  await expectAccessibleInBothSchemes(owner)
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
}

/** She is told at once, without a click. */
async function removed(owner: Page, bia: Page): Promise<void> {
  await owner.getByRole('button', { name: 'Remover Bia Souza' }).click()
  await owner.getByRole('dialog').getByRole('button', { name: 'Remover' }).click()
  await owner.getByRole('row', { name: /Bia Souza/ }).waitFor({ state: 'detached' })
  await bia.getByRole('heading', { name: /^You no longer belong to / }).waitFor()
}

/** Somebody known accepts signed in: here after signing in on the page of the invitation. */
async function comeBack(owner: Page, bia: Page): Promise<void> {
  const link = await invite(owner, 'bia@example.com', 'Leitor')
  await bia.context().clearCookies()
  await bia.goto(link)
  await bia.getByLabel('Password', { exact: true }).fill(password)
  await expectAccessibleInBothSchemes(bia)
  await bia.getByRole('button', { name: 'Sign in', exact: true }).click()
  await bia.getByText('You are signed in as bia@example.com.').waitFor()
  await expectAccessibleInBothSchemes(bia)
  await bia.getByRole('button', { name: 'Accept the invitation' }).click()
  await bia.waitForURL(/\/a\/acc_/)
}
