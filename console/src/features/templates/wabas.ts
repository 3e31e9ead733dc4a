import { useRead } from '../../api/account.ts'
import { phoneWords } from '../../ui/phone.ts'

export type Waba = {
  id: string
  /** One of its numbers, by which the operations on templates name it. */
  channelId: string
  label: string
}

/** The WhatsApp Business Accounts that the account's numbers are of: templates belong to one of them. */
export function useWabas(): readonly Waba[] {
  const channels = useRead('GET /account/channels', {}, { staleTime: 60_000 })
  const wabas = new Map<string, Waba>()
  for (const { id, waba_id: wabaId, phone, display_name: name, status } of channels.data?.data ?? []) {
    if (wabaId === null || status !== 'connected' || wabas.has(wabaId)) continue
    wabas.set(wabaId, {
      id: wabaId,
      channelId: id,
      label: [name, phone === null ? null : phoneWords(phone)].filter(Boolean).join(' · ') || wabaId,
    })
  }
  return [...wabas.values()]
}
