/** Why no status came back. Stable words, shown to customers; nothing in them tells one forbidden address from another. */
export type StrangerError = 'blocked' | 'timeout' | 'dns' | 'connect' | 'tls' | 'reset' | 'protocol' | 'closed'

/** A failure whose word is already known. */
export class StrangerFailure extends Error {
  readonly code = 'STRANGER_FAILURE'
  readonly word: StrangerError

  constructor(word: StrangerError) {
    super(`stranger: ${word}`)
    this.word = word
  }
}

/** A connection that had served before ended before any byte of an answer: most likely the receiver was closing it while we wrote. */
export class StaleConnection extends Error {
  readonly code = 'STALE_CONNECTION'

  constructor(cause: Error) {
    super('a resting connection has ended', { cause })
  }
}

/** Whether a connection that stood was ended by the other side. */
export const isReset = (error: unknown): boolean => /^(UND_ERR_SOCKET|ECONNRESET|EPIPE|ECONNABORTED)$/.test(codeOf(error) ?? '')

/** The word for what went wrong while a connection was made; `handshaking` once TCP stood and TLS did not. */
export function connectFailure(error: Error, handshaking: boolean): StrangerFailure {
  if (error instanceof StrangerFailure) return error
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return new StrangerFailure('timeout')
  return new StrangerFailure(handshaking ? 'tls' : 'connect')
}

/** The word for what went wrong with a request. Throws what is no trouble of the network: that is a bug of ours. */
export function failureWord(error: unknown): StrangerError {
  if (error instanceof StrangerFailure) return error.word
  // rule: delivery 17. undici's parser leaves the code out of its commonest complaint.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'protocol'
  const code = codeOf(error)
  if (code === null || code === 'UND_ERR_INVALID_ARG') throw error
  // The receiver may still refuse our handshake after we think it done (TLS 1.3).
  if (/^ERR_(SSL|TLS)|^EPROTO$/.test(code)) return 'tls'
  if (isReset(error)) return 'reset'
  if (code === 'ETIMEDOUT') return 'timeout'
  return 'protocol'
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
