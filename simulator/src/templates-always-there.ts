import type { TemplateOptions } from './templates.ts'

const code = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] }

/** Every WABA has these, so that a template can be sent in the first minute. */
export const alwaysThere: readonly TemplateOptions[] = [
  {
    name: 'hello_world',
    language: 'en_US',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      { type: 'BODY', text: 'Welcome and congratulations! This message demonstrates your ability to send a template.' },
      { type: 'FOOTER', text: 'Pombo Simulator' },
    ],
  },
  { name: 'order_update', language: 'en_US', bodyParameters: 2 },
  { name: 'order_update', language: 'pt_BR', bodyParameters: 2 },
  { name: 'spring_sale', language: 'en_US', category: 'MARKETING', bodyParameters: 1 },
  {
    name: 'login_code',
    language: 'en_US',
    category: 'AUTHENTICATION',
    components: [{ type: 'BODY', text: '*{{1}}* is your verification code.', add_security_recommendation: false }, code],
  },
  {
    name: 'pedido_enviado',
    language: 'pt_BR',
    qualityScore: 'GREEN',
    components: [
      { type: 'BODY', text: 'Olá, {{1}}! Seu pedido {{2}} foi enviado.', example: { body_text: [['Maria', '4711']] } },
      { type: 'FOOTER', text: 'Loja Exemplo' },
    ],
  },
  {
    name: 'oferta_da_semana',
    language: 'pt_BR',
    category: 'MARKETING',
    components: [
      { type: 'BODY', text: 'Oi, {{1}}! Nesta semana, {{2}} com desconto.', example: { body_text: [['Maria', 'pães']] } },
      { type: 'FOOTER', text: 'Para não receber ofertas, responda SAIR.' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Quero ver' }] },
    ],
  },
]
