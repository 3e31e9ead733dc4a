import type { Gateway } from './gateway.ts'

const maria = { from: '5511987654321', name: 'Maria Silva' }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const pdf = Buffer.from(`%PDF-1.4\n${'x'.repeat(20_000)}`).toString('base64')
const button = (id: string, title: string) => ({ type: 'reply', reply: { id, title } })

/** The demo person and the business write to each other in every kind there is. */
export async function writeOfAllKinds(gateway: Gateway): Promise<void> {
  const theirs = (content: object) => gateway.letWrite({ ...maria, content })
  const ours = async (body: object) => (await gateway.call('POST', '/messages', { to: maria.from, ...body })) as { id: string }
  await gateway.letWrite({
    ...maria,
    text: 'Bom dia! Vi em https://loja.example/bolos um bolo de *cenoura*, ainda _tem_?\nPara ~hoje~ amanhã.',
  })
  const first = await ours({ type: 'text', text: { body: 'Temos sim! Código: ```BOLO-4711```' } })
  await ours({
    type: 'interactive',
    interactive: {
      type: 'button',
      header: { type: 'text', text: 'Entrega' },
      body: { text: 'Confirma a entrega amanhã às 15h?' },
      footer: { text: 'Padaria Aurora' },
      action: { buttons: [button('sim', 'Confirmo'), button('nao', 'Outro horário')] },
    },
  })
  await theirs({ type: 'button_reply', id: 'sim', title: 'Confirmo' })
  await theirs({ type: 'image', bytes: png, mime_type: 'image/png', caption: 'É este aqui' })
  await theirs({ type: 'document', bytes: pdf, mime_type: 'application/pdf', filename: 'Comprovante.pdf' })
  await theirs({ type: 'location', latitude: -23.5614, longitude: -46.6559, name: 'Casa da Maria', address: 'Av. Paulista, 1578' })
  await theirs({ type: 'contacts', contacts: [{ name: { formatted_name: 'Ana Lima' }, phones: [{ phone: '+55 11 98765-1111' }] }] })
  await ours({
    type: 'interactive',
    interactive: {
      type: 'list',
      body: { text: 'Escolha a cobertura' },
      action: { button: 'Ver sabores', sections: [{ title: 'Chocolates', rows: [{ id: 'amargo', title: 'Amargo 70%' }] }] },
    },
  })
  await theirs({ type: 'list_reply', id: 'amargo', title: 'Amargo 70%', description: 'Chocolate belga' })
  await theirs({ type: 'nfm_reply', response: { nome: 'Maria Silva', data_da_festa: '12/12', flow_token: 'x' } })
  await theirs({
    type: 'order',
    catalog_id: '123',
    text: 'Embrulhar para presente',
    product_items: [
      { product_retailer_id: 'bolo-cenoura', quantity: 1, item_price: 89.9, currency: 'BRL' },
      { product_retailer_id: 'brigadeiro-12', quantity: 3, item_price: 24, currency: 'BRL' },
    ],
  })
  await theirs({ type: 'unsupported', of: 'poll_creation' })
  const edited = await gateway.letWrite({ ...maria, text: 'Pode ser as 14h?' })
  await theirs({ type: 'edit', original_message_id: edited, content: { type: 'text', body: 'Pode ser às 14h30?' } })
  const gone = await gateway.letWrite({ ...maria, text: 'me enganei' })
  await theirs({ type: 'revoke', original_message_id: gone })
  await ours({
    type: 'template',
    template: {
      name: 'pedido_enviado',
      language: 'pt_BR',
      components: [{ type: 'body', parameters: ['Maria', '4711'].map((text) => ({ type: 'text', text })) }],
    },
  })
  const { wamid } = await sent(gateway, first.id)
  await theirs({ type: 'reaction', message_id: wamid, emoji: '❤️' })
  await gateway.letWrite({ ...maria, text: 'Tudo certo, obrigada!', context: wamid })
}

const tries = 50

/** The message once it has left. */
async function sent(gateway: Gateway, id: string): Promise<{ wamid: string }> {
  for (let i = 0; i < tries; i += 1) {
    const { wamid } = (await gateway.call('GET', `/messages/${id}`)) as { wamid: string | null }
    if (wamid !== null) return { wamid }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the message did not leave')
}
