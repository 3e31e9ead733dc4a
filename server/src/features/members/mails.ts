import type { Language, Role } from './member.ts'

type Words = { subject: string; text: string }

/** To somebody who asked for a link. */
export function linkMail(language: Language | null, link: string): Words {
  if (language === 'en')
    return {
      subject: 'Your link to sign in to Pombo',
      text: `Open this link to sign in. It works once, for 15 minutes:\n\n${link}\n\nIf you did not ask for it, nothing needs to be done.\n`,
    }
  return {
    subject: 'Seu link para entrar no Pombo',
    text: `Abra este link para entrar. Ele funciona uma vez, por 15 minutos:\n\n${link}\n\nSe você não pediu este link, não é preciso fazer nada.\n`,
  }
}

type Invited = { accountName: string; role: Role; invitedBy: string; link: string }

/** To somebody who is invited to an account. */
export function invitationMail(language: Language | null, { accountName, role, invitedBy, link }: Invited): Words {
  if (language === 'en')
    return {
      subject: `Invitation to ${accountName} in Pombo`,
      text: `${invitedBy} invites you to ${accountName} as ${rolesInEnglish[role]}. The link works once, for 7 days:\n\n${link}\n`,
    }
  return {
    subject: `Convite para ${accountName} no Pombo`,
    text: `${invitedBy} convida você para ${accountName} como ${rolesInPortuguese[role]}. O link funciona uma vez, por 7 dias:\n\n${link}\n`,
  }
}

const rolesInEnglish: Readonly<Record<Role, string>> = { owner: 'owner', admin: 'administrator', agent: 'agent', viewer: 'viewer' }
const rolesInPortuguese: Readonly<Record<Role, string>> = {
  owner: 'proprietário(a)',
  admin: 'administrador(a)',
  agent: 'atendente',
  viewer: 'observador(a)',
}
