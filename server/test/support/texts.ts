/** The body of a send of a text, with more fields where a test needs them. */
export function textTo(to: string, words = 'Oi!', more: Record<string, unknown> = {}): Record<string, unknown> {
  return { to, type: 'text', text: { body: words }, ...more }
}

export const ids = { msg: /^msg_[0-9a-f]{32}$/, evt: /^evt_[0-9a-f]{32}$/, ch: /^ch_[0-9a-f]{32}$/, whk: /^whk_[0-9a-f]{32}$/ }

/** A moment as the contract writes it. */
export const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A well-formed id that nobody has. */
export const nobodys = (prefix: string) => `${prefix}_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f`
