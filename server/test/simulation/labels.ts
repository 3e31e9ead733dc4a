/** The name of a message by what is told of it: its sender's word, else the words in its id, which stay when its text changes. */
export function labelOf(told: { client_reference: string | null; wamid: string | null; text: string | null }): string {
  if (told.client_reference !== null) return told.client_reference
  return /^wamid\.(?:IN|OUT)-([a-z0-9]+)/.exec(told.wamid ?? '')?.[1] ?? told.text ?? ''
}
