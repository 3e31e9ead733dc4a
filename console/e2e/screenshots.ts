import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromiumFolder, launch, unpackChromium } from './support/browser.ts'
import { type Gateway, startGateway } from './support/gateway.ts'

// `npm run screenshots -w console -- [folder] [part of a page's name]`: every page on two widths, in light and dark, to be looked at.
// Uses the console as it was built last.
const [, , folder = 'screenshots', only = ''] = process.argv
const root = fileURLToPath(new URL('../..', import.meta.url))

const pages: readonly (readonly [name: string, path: string])[] = [
  ['home', ''],
  ['inbox', '/inbox'],
  ['messages', '/messages'],
  ['usage', '/usage'],
  ['alerts', '/alerts'],
  ['channels', '/settings/channels'],
  ['connect', '/settings/channels/connect'],
  ['templates', '/settings/templates'],
  ['new-template', '/settings/templates/new'],
  ['opt-outs', '/settings/opt-outs'],
  ['api-keys', '/settings/api-keys'],
  ['webhooks', '/settings/webhooks'],
  ['request-log', '/settings/request-log'],
  ['members', '/settings/members'],
  ['audit-log', '/settings/audit-log'],
  ['profile', '/me'],
]

const views = [
  { name: 'wide', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
] as const

/** After the last of what it reads is there: for pictures and transitions. */
const settledMs = 600
const readMsMax = 15_000

await mkdir(folder, { recursive: true })
const gateway = await startGateway()
const browser = await launch(await unpackChromium(chromiumFolder(root)))
try {
  await fill(gateway)
  const state = await signedIn(browser)
  for (const view of views)
    for (const colorScheme of ['light', 'dark'] as const) {
      const { name, ...device } = view
      const context = await browser.newContext({
        baseURL: gateway.url,
        locale: 'pt-BR',
        storageState: state.storage,
        colorScheme,
        ...device,
      })
      await shootAll(context, state.account, `${name}-${colorScheme}`)
      await context.close()
    }
} finally {
  await browser.close()
  await gateway.close()
}

async function signedIn(from: Browser) {
  const context = await from.newContext({ baseURL: gateway.url, locale: 'pt-BR' })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await shoot(page, 'sign-in')
  await page.goto(gateway.link)
  await page.getByTestId('open-link').click()
  await page.waitForURL(/\/a\/acc_/)
  const account = /acc_[0-9a-f]{32}/.exec(page.url())?.[0] ?? ''
  const storage = await context.storageState()
  await context.close()
  return { account, storage }
}

async function shootAll(context: BrowserContext, account: string, suffix: string): Promise<void> {
  const page = await context.newPage()
  for (const [name, path] of pages.filter(([each]) => each.includes(only))) {
    await page.goto(`/a/${account}${path}`)
    await shoot(page, `${name}-${suffix}`)
    if (name !== 'inbox') continue
    await page.getByRole('list').getByRole('link').first().click()
    await shoot(page, `thread-${suffix}`)
  }
}

/** A morning of a small shop. */
async function fill(to: Gateway): Promise<void> {
  const maria = '5511987654321'
  const send = (body: object) => to.call('POST', '/messages', body)
  await send({
    to: maria,
    type: 'text',
    text: { body: 'Olá, Maria! Entregamos, sim: hoje até as 18h. *Qual é o endereço?*' },
    client_reference: 'pedido-4711',
  })
  await to.letWrite({
    from: maria,
    name: 'Maria Silva',
    content: { type: 'location', latitude: -23.5614, longitude: -46.6559, name: 'Casa', address: 'Av. Paulista, 1578' },
  })
  await to.letWrite({ from: maria, name: 'Maria Silva', text: 'Pode deixar com o porteiro 🙏 Obrigada!' })
  await send({
    to: maria,
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text: 'Podemos confirmar a entrega?' },
      action: {
        buttons: [
          { type: 'reply', reply: { id: 'sim', title: 'Confirmar' } },
          { type: 'reply', reply: { id: 'nao', title: 'Mudar horário' } },
        ],
      },
    },
  })
  await to.letWrite({
    from: '5521998765432',
    name: 'João Pereira',
    text: 'Bom dia! Meu pedido veio sem a nota fiscal. Conseguem mandar de novo?',
  })
  await to.letWrite({ from: '5531987651234', name: 'Ana Beatriz', text: 'Vocês têm esse modelo na cor azul?' })
  await to.letWrite({
    from: '5541999887766',
    name: 'Carlos Mendes',
    content: {
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Paula Mendes', first_name: 'Paula' }, phones: [{ phone: '+55 41 99999-1111', type: 'CELL' }] }],
    },
  })
  const webhook = (await to.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/eventos', events: ['*'], description: 'ERP' })) as {
    id: string
  }
  await to.call('POST', `/webhooks/${webhook.id}/test`)
  for (const end of ['131026', '131047', '131049'])
    await send({ to: `5511900${end}`, type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } }).catch(() => {})
  await to.call('POST', '/marketing-opt-outs', { phone: '5531987651234' })
  await new Promise((resolve) => setTimeout(resolve, 2_000))
}

async function shoot(page: Page, name: string): Promise<void> {
  const busy = page.locator('[aria-busy="true"], .mantine-Loader-root')
  for (const deadline = performance.now() + readMsMax; (await busy.count()) > 0 && performance.now() < deadline; )
    await page.waitForTimeout(50)
  await page.waitForTimeout(settledMs)
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
