import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** How much of an answer's body is read before its connection is cut, in bytes. */
const bodyBytesMax = 64 * 1024

/** How much of it is kept, in bytes. */
const bodyHeadBytesMax = 1024

/**
 * The first kilobyte of a body as text. Reads to the end where the body is small, so that the connection can be used again; cuts the connection
 * where it is not. A body that breaks off gives what came: by then the status has been judged already.
 */
export function answerHead(body: Readable): Promise<string> {
  const kept: Buffer[] = []
  let seenBytes = 0
  const text = () => headText(Buffer.concat(kept).subarray(0, bodyHeadBytesMax), seenBytes > bodyHeadBytesMax)
  // Events instead of an iteration, which makes several promises for each chunk.
  return new Promise((resolve) => {
    const finish = () => resolve(text())
    body.on('data', (chunk: Buffer) => {
      if (seenBytes < bodyHeadBytesMax) kept.push(chunk)
      seenBytes += chunk.length
      if (seenBytes > bodyBytesMax) body.destroy()
    })
    // An error is a reset or the deadline: nothing more will come.
    body.on('end', finish).on('error', finish).on('close', finish)
  })
}

/** A character that the cut splits is dropped; bytes that are no UTF-8, and NUL, which PostgreSQL cannot store, become U+FFFD. */
function headText(bytes: Buffer, cut: boolean): string {
  const text = cut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8')
  return text.replaceAll('\0', '\ufffd')
}
