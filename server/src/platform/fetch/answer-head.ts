/** How much of an answer's body is read before its connection is cut, in bytes. */
export const bodyBytesMax = 64 * 1024

/** How much of it is kept, in bytes. */
export const bodyHeadBytesMax = 1024

/**
 * The first kilobyte of a body as text. Reads to the end where the body is small, so that the connection can be used again; cuts the connection
 * where it is not. A body that breaks off gives what came: by then the status has been judged already.
 */
export async function answerHead(body: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let seenBytes = 0
  try {
    for await (const chunk of body) {
      if (seenBytes < bodyHeadBytesMax) kept.push(chunk)
      seenBytes += chunk.length
      // Leaving the loop destroys the stream, and with it the connection.
      if (seenBytes > bodyBytesMax) break
    }
  } catch {
    // Reset, or the deadline: nothing more will come.
  }
  return headText(Buffer.concat(kept).subarray(0, bodyHeadBytesMax), seenBytes > bodyHeadBytesMax)
}

/** A character that the cut splits is dropped; bytes that are no UTF-8, and NUL, which PostgreSQL cannot store, become U+FFFD. */
function headText(bytes: Buffer, cut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: cut }).replaceAll('\0', '\ufffd')
}
