import { phoneWords } from '../../ui/phone.ts'

/** What a person is called: by name, else by phone, else by user id. */
export function personName(person: { name: string | null; phone: string; user_id?: string }): string {
  return person.name ?? (person.phone === '' ? (person.user_id ?? '?') : phoneWords(person.phone))
}
