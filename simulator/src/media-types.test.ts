import { expect, test } from 'vitest'
import { bytesMaxOf, kindOfType, mediaBytesMax, takenType } from './media-types.ts'

test.each([
  ['audio/ogg; codecs=opus', 'audio'],
  ['IMAGE/JPEG', 'image'],
  ['image/webp', 'sticker'],
  ['video/3gpp', 'video'],
  ['text/plain', 'document'],
  ['audio/opus', null],
  ['image/gif', null],
  ['application/octet-stream', null],
])('%s can be sent as %s', (mimeType, kind) => {
  expect(kindOfType(mimeType)).toBe(kind)
})

test('a document may be as large as any file, and a type that is not taken has no size', () => {
  expect(bytesMaxOf('application/pdf', Buffer.from('%PDF'))).toBe(100 * 1024 * 1024)
  expect(mediaBytesMax).toBe(100 * 1024 * 1024)
  expect(bytesMaxOf('image/gif', Buffer.from('GIF89a'))).toBe(0)
})

test.each([
  ['audio/ogg', 'voice.ogg', 'audio/ogg'],
  ['audio/ogg', 'voice.mp4', 'application/octet-stream'],
  ['audio/mp4', 'voice.mp4', 'audio/mp4'],
  ['image/jpeg', 'a.PNG', 'application/octet-stream'],
  ['image/jpeg', 'picture', 'image/jpeg'],
  ['application/pdf', 'Invoice 7.final', 'application/pdf'],
])('%s under the name %s is taken for %s', (declared, fileName, taken) => {
  expect(takenType(declared, fileName)).toBe(taken)
})
