import { type Static, type TProperties, Type } from 'typebox'
import { limits } from '../../limits.ts'

/** What a caller may write at the top of a send besides the content of its kind. */
const commonFields = {
  to: Type.String({
    minLength: 1,
    maxLength: 140,
    description:
      'The person: a phone with country code, 10 to 15 digits (`+`, spaces, hyphens and brackets are allowed), or the user id of a known person.',
    examples: ['+55 11 98765-4321'],
  }),
  channel_id: Type.Optional(Type.String({ description: 'The number to send from; required when the account has more than one.' })),
  reply_to: Type.Optional(
    Type.String({ minLength: 1, maxLength: limits.wamidCharsMax, description: 'The message to quote: our id or a wamid.' }),
  ),
  client_reference: Type.Optional(
    Type.String({
      maxLength: limits.clientReferenceCharsMax,
      description: 'Your own identifier; returned in every event of this message.',
    }),
  ),
  contact_name: Type.Optional(
    Type.String({ maxLength: limits.contactNameCharsMax, description: 'Used only when the person is not known yet.' }),
  ),
}

/** Unknown fields are passed upstream unchanged, here and inside the content (rule: send 8). */
const passThrough = { additionalProperties: true }

const open = <Fields extends TProperties>(fields: Fields, options: { description?: string } = {}) =>
  Type.Object(fields, { ...passThrough, ...options })

const kindOf = <Kind extends string>(kind: Kind) => Type.Literal(kind, { description: `The kind of this send: \`${kind}\`.` })

/** What a send of that kind can look like. */
const example = (type: string, content: object) => ({ examples: [{ to: '+55 11 98765-4321', type, ...content }] })

const SendText = Type.Object(
  {
    ...commonFields,
    type: kindOf('text'),
    text: open(
      {
        body: Type.String({ minLength: 1, maxLength: limits.textCharsMax, description: 'The words.', examples: ['Olá!'] }),
        preview_url: Type.Optional(Type.Boolean({ description: 'Shows a preview of the first link.' })),
      },
      { description: 'What is written.' },
    ),
  },
  {
    $id: 'SendText',
    description: 'A text.',
    ...passThrough,
    ...example('text', { text: { body: 'Olá, Maria! O pedido 4711 saiu para entrega.' }, client_reference: 'pedido-4711' }),
  },
)

/** Which file: exactly one of the two, which a schema could say only in words that name no field. */
const file = {
  link: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.linkCharsMax,
      description: 'A public https URL: your own, or the permanent `url` of an upload. Exactly one of `link` and `id`.',
      examples: ['https://loja.example/pedidos/4711.pdf'],
    }),
  ),
  id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.upstreamMediaIdCharsMax,
      description: 'The id of an upload (`med_…`), or of media that the upstream platform has already.',
    }),
  ),
}
const caption = Type.Optional(Type.String({ maxLength: limits.captionCharsMax, description: 'Shown below the file.' }))

const SendImage = Type.Object(
  { ...commonFields, type: kindOf('image'), image: open({ ...file, caption }, { description: 'JPEG or PNG, up to 5 MB.' }) },
  {
    $id: 'SendImage',
    description: 'A picture.',
    ...passThrough,
    ...example('image', { image: { link: 'https://loja.example/vitrine.jpg', caption: 'A vitrine de hoje' } }),
  },
)

const SendAudio = Type.Object(
  {
    ...commonFields,
    type: kindOf('audio'),
    audio: open(
      { ...file, voice: Type.Optional(Type.Boolean({ description: 'Shown as a voice message; needs OGG with Opus.' })) },
      { description: 'AAC, AMR, MP3, M4A or OGG with Opus, up to 16 MB.' },
    ),
  },
  {
    $id: 'SendAudio',
    description: 'A recording or a voice message.',
    ...passThrough,
    ...example('audio', { audio: { link: 'https://loja.example/recado.ogg', voice: true } }),
  },
)

const SendVideo = Type.Object(
  {
    ...commonFields,
    type: kindOf('video'),
    video: open({ ...file, caption }, { description: 'MP4 or 3GP with H.264 and AAC, up to 16 MB.' }),
  },
  {
    $id: 'SendVideo',
    description: 'A film.',
    ...passThrough,
    ...example('video', { video: { link: 'https://loja.example/forno.mp4', caption: 'Direto do forno' } }),
  },
)

const SendDocument = Type.Object(
  {
    ...commonFields,
    type: kindOf('document'),
    document: open(
      {
        ...file,
        caption,
        filename: Type.Optional(
          Type.String({
            maxLength: limits.fileNameCharsMax,
            description: 'The name that the person sees; of an upload, its own name when this is left out.',
            examples: ['Nota fiscal 4711.pdf'],
          }),
        ),
      },
      { description: 'PDF, DOC(X), XLS(X), PPT(X) or TXT, up to 100 MB by your own link.' },
    ),
  },
  {
    $id: 'SendDocument',
    description: 'A document.',
    ...passThrough,
    ...example('document', { document: { link: 'https://loja.example/notas/4711.pdf', filename: 'Nota fiscal 4711.pdf' } }),
  },
)

const SendSticker = Type.Object(
  {
    ...commonFields,
    type: kindOf('sticker'),
    sticker: open(file, { description: 'WebP, up to 100 KB, animated up to 500 KB.' }),
  },
  {
    $id: 'SendSticker',
    description: 'A sticker.',
    ...passThrough,
    ...example('sticker', { sticker: { link: 'https://loja.example/obrigado.webp' } }),
  },
)

const SendLocation = Type.Object(
  {
    ...commonFields,
    type: kindOf('location'),
    location: open(
      {
        latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, south of the equator below 0.', examples: [-23.5614] }),
        longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, west of Greenwich below 0.', examples: [-46.6559] }),
        name: Type.Optional(Type.String({ description: 'What the place is called.', examples: ['Padaria Aurora'] })),
        address: Type.Optional(Type.String({ description: 'Shown below the name.', examples: ['Av. Paulista, 1578, São Paulo'] })),
      },
      { description: 'Where it is.' },
    ),
  },
  {
    $id: 'SendLocation',
    description: 'A place.',
    ...passThrough,
    ...example('location', {
      location: { latitude: -23.5614, longitude: -46.6559, name: 'Padaria Estrela', address: 'Av. Paulista, 1578' },
    }),
  },
)

const SendContacts = Type.Object(
  {
    ...commonFields,
    type: kindOf('contacts'),
    contacts: Type.Array(
      open({
        name: open(
          { formatted_name: Type.String({ minLength: 1, description: 'The whole name, as it is shown.', examples: ['Ana Lima'] }) },
          { description: 'Whose card it is.' },
        ),
      }),
      {
        minItems: 1,
        maxItems: limits.contactCardsMax,
        description: "Contact cards in the upstream platform's format: name, phones, emails …",
      },
    ),
  },
  {
    $id: 'SendContacts',
    description: 'Contact cards.',
    ...passThrough,
    ...example('contacts', {
      contacts: [{ name: { formatted_name: 'Ana Lima', first_name: 'Ana' }, phones: [{ phone: '+55 11 98765-4321', type: 'CELL' }] }],
    }),
  },
)

const SendInteractive = Type.Object(
  {
    ...commonFields,
    type: kindOf('interactive'),
    interactive: open(
      {
        type: Type.String({ minLength: 1, description: '`button`, `list`, `cta_url`, `flow`, `product`, …', examples: ['button'] }),
        action: Type.Optional(
          Type.Unsafe<object>({
            type: 'object',
            additionalProperties: true,
            description: 'What can be chosen: buttons, sections, a link …',
          }),
        ),
      },
      { description: "The rest in the upstream platform's format; it judges what is inside." },
    ),
  },
  {
    $id: 'SendInteractive',
    description: 'Buttons, lists and other messages that a person answers by choosing.',
    ...passThrough,
    ...example('interactive', {
      interactive: {
        type: 'button',
        body: { text: 'Confirma a entrega às 15h?' },
        action: { buttons: [{ type: 'reply', reply: { id: 'sim', title: 'Sim' } }] },
      },
    }),
  },
)

const SendTemplate = Type.Object(
  {
    ...commonFields,
    type: kindOf('template'),
    template: open(
      {
        name: Type.String({ minLength: 1, description: 'The name of an approved template.', examples: ['pedido_enviado'] }),
        language: Type.Union(
          [
            Type.String({ minLength: 1, examples: ['pt_BR'] }),
            open({ code: Type.String({ minLength: 1, description: 'The language code, such as pt_BR.' }) }),
          ],
          { description: 'A code, or an object with one.' },
        ),
        components: Type.Optional(
          Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }), {
            maxItems: limits.templateComponentsMax,
            description: "Header, body, buttons … with their parameters, in the upstream platform's format.",
          }),
        ),
      },
      { description: 'Which template, and what its places are filled with.' },
    ),
  },
  {
    $id: 'SendTemplate',
    description: 'A template, which may also be sent outside of the 24-hour window.',
    ...passThrough,
    ...example('template', {
      template: {
        name: 'pedido_enviado',
        language: 'pt_BR',
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Maria' },
              { type: 'text', text: '4711' },
            ],
          },
        ],
      },
    }),
  },
)

const SendReaction = Type.Object(
  {
    ...commonFields,
    type: kindOf('reaction'),
    reaction: open(
      {
        message_id: Type.String({
          minLength: 1,
          maxLength: limits.wamidCharsMax,
          description: 'The message that gets the reaction: our id or a wamid.',
        }),
        emoji: Type.String({ description: 'An empty text takes the reaction away.', examples: ['👍'] }),
      },
      { description: 'Which message gets which reaction.' },
    ),
  },
  {
    $id: 'SendReaction',
    description: 'A reaction to a message. It is answered at once, and makes no message.',
    ...passThrough,
    ...example('reaction', { reaction: { message_id: 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f', emoji: '👍' } }),
  },
)

/** A schema for each kind, in the order of the contract. */
export const sendSchemas = [
  SendText,
  SendImage,
  SendAudio,
  SendVideo,
  SendDocument,
  SendSticker,
  SendLocation,
  SendContacts,
  SendInteractive,
  SendTemplate,
  SendReaction,
] as const

/** Every field that a send can have at its top. */
export const sendFields: readonly string[] = [...new Set(sendSchemas.flatMap((each) => Object.keys(each.properties)))]

export type SendBody = Static<(typeof sendSchemas)[number]>
export type SendKind = SendBody['type']

/** rule: send 4. What an `Idempotency-Key` may be. */
export const IdempotencyKey = Type.String({
  minLength: 1,
  maxLength: limits.idempotencyKeyCharsMax,
  pattern: '^[ -~]+$',
  'x-expected': `1 to ${limits.idempotencyKeyCharsMax} printable ASCII characters`,
  description:
    'The same key within 24 hours gives the same answer without sending again. ' +
    `1 to ${limits.idempotencyKeyCharsMax} printable ASCII characters; one header of this name.`,
  examples: ['order-4711'],
})

/** What a send looks like, one branch for each kind. */
export const SendMessageRequest = Type.Unsafe<SendBody>({
  $id: 'SendMessageRequest',
  type: 'object',
  required: ['type'],
  description: 'A send: its `type` says which kind. Fields that are not listed go to the upstream platform unchanged.',
  discriminator: { propertyName: 'type' },
  'x-tags': sendSchemas.map((each) => each.properties.type.const),
  oneOf: sendSchemas.map((each) => ({ $ref: `${(each as unknown as { $id: string }).$id}#` })),
})

/** What became of a reaction, which makes no message. */
export const ReactionSchema = Type.Object(
  {
    object: Type.Literal('reaction', { description: 'What this is.' }),
    message_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Our id of the message; null for one that is not ours.',
    }),
    wamid: Type.String({ description: "The upstream platform's id of the message that got the reaction." }),
    emoji: Type.String({ description: 'Empty: the reaction was taken away.' }),
    status: Type.String({ description: '`sent`: the upstream platform has accepted it.', examples: ['sent'] }),
  },
  {
    $id: 'Reaction',
    description: 'What became of a reaction.',
    examples: [
      {
        object: 'reaction',
        message_id: 'msg_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f',
        wamid: 'wamid.HBgNNTUxMTk4NzY1NDMyMRUCABIYFjNFQjBDN0Q4RTJBNEY1QjZDN0Q4RTkA',
        emoji: '👍',
        status: 'sent',
      },
    ],
  },
)

/** The optional body of marking a message as read. */
export const MarkReadRequest = Type.Object(
  {
    typing_indicator: Type.Optional(
      Type.Boolean({ description: 'Also shows for up to 25 seconds, or until your reply goes out, that someone is typing.' }),
    ),
  },
  { additionalProperties: false, examples: [{ typing_indicator: true }] },
)

/** What marking as read answers. */
export const MarkReadSchema = Type.Object(
  { success: Type.Boolean({ description: 'True: the upstream platform was told.' }) },
  { $id: 'MarkedAsRead', description: 'That a message is marked as read.', examples: [{ success: true }] },
)
