import type { AlertKind } from './alert.ts'

export type Language = 'pt-BR' | 'en'

/** What a mail says. Neither phone numbers nor texts: a mail is read by anybody on its way. */
type Words = { subject: string; what: string; advice: string }

const words: Record<Language, Record<AlertKind, Words>> = {
  'pt-BR': {
    channel_token_lost: {
      subject: 'um número foi desconectado',
      what: 'A Meta não aceita mais o acesso de um dos seus números: nada é enviado por ele.',
      advice: 'Abra Canais no console, verifique a conexão e informe um novo token.',
    },
    channel_quality_low: {
      subject: 'a qualidade de um número está baixa',
      what: 'A Meta avalia a qualidade de um dos seus números como baixa: as pessoas bloqueiam ou denunciam as suas mensagens, e os limites podem diminuir.',
      advice: 'Envie menos mensagens de marketing e somente a quem as espera. O console mostra a qualidade em Canais.',
    },
    webhook_failing: {
      subject: 'um webhook falha há uma hora',
      what: 'O seu sistema não aceita os eventos de um webhook há pelo menos uma hora.',
      advice: 'O console mostra as respostas em Webhooks. Quando o endereço voltar a responder, reenvie de lá as entregas que falharam.',
    },
    queue_old: {
      subject: 'mensagens esperam na fila',
      what: 'Há mensagens que esperam para sair há mais tempo do que o normal. O que espera por 15 minutos falha.',
      advice: 'Veja no console se o número está conectado e o que uma das mensagens na fila diz.',
    },
  },
  en: {
    channel_token_lost: {
      subject: 'a number was disconnected',
      what: 'Meta no longer accepts the access of one of your numbers: nothing is sent by it.',
      advice: 'Open Channels in the console, check the connection and give a new token.',
    },
    channel_quality_low: {
      subject: 'the quality of a number is low',
      what: 'Meta rates the quality of one of your numbers as low: people block or report your messages, and the limits may be lowered.',
      advice: 'Send less marketing, and only to people who expect it. The console shows the quality in Channels.',
    },
    webhook_failing: {
      subject: 'a webhook has failed for an hour',
      what: 'Your system has not taken the events of a webhook for an hour or more.',
      advice: 'The console shows the answers in Webhooks. Once the address answers again, retry the deliveries that failed from there.',
    },
    queue_old: {
      subject: 'messages wait in the queue',
      what: 'There are messages that have waited to leave for longer than usual. What waits for 15 minutes fails.',
      advice: 'See in the console whether the number is connected, and what one of the queued messages says.',
    },
  },
}

/** The mail to an owner; Portuguese for a language that there is none in. */
export function mailWords(
  kind: AlertKind,
  of: { language: string; accountName: string; consoleUrl: string },
): { subject: string; text: string } {
  const { subject, what, advice } = words[of.language === 'en' ? 'en' : 'pt-BR'][kind]
  return { subject: `${of.accountName}: ${subject}`, text: `${of.accountName}\n\n${what}\n\n${advice}\n\n${of.consoleUrl}\n` }
}
