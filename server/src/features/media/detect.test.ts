import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aac, amr, compound, gif, jpeg, movie, mp3, ogg, ooxml, pdf, png, simpleWebp, wav, webp, zip } from '../../../test/support/files.ts'
import { detectFile } from './detect.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-detect-'))
})
afterAll(() => rm(directory, { recursive: true }))

let files = 0
async function detect(bytes: Buffer) {
  files += 1
  const path = join(directory, String(files))
  await writeFile(path, bytes)
  const found = await detectFile(path, bytes.length)
  return found.ok ? found.value : found.refusal
}

const text = (words: string) => Buffer.from(words)

// rule: media 1
describe('what upstream takes is known by its bytes', () => {
  test.each([
    ['JPEG', jpeg(), 'image', 'image/jpeg'],
    ['PNG', png(), 'image', 'image/png'],
    ['AAC', aac(), 'audio', 'audio/aac'],
    ['AMR', amr(), 'audio', 'audio/amr'],
    ['MP3 without tags', mp3(), 'audio', 'audio/mpeg'],
    ['M4A', movie({ brand: 'M4A ', video: [] }), 'audio', 'audio/mp4'],
    ['MP4 with audio alone', movie({ video: [] }), 'audio', 'audio/mp4'],
    ['OGG with Opus', ogg('opus'), 'audio', 'audio/ogg; codecs=opus'],
    ['MP4', movie(), 'video', 'video/mp4'],
    ['MP4 with its tracks at the end', movie({ dataFirst: true, dataBytes: 100_000 }), 'video', 'video/mp4'],
    ['MP4 without audio', movie({ audio: [] }), 'video', 'video/mp4'],
    ['3GP', movie({ brand: '3gp4' }), 'video', 'video/3gpp'],
    ['PDF', pdf(), 'document', 'application/pdf'],
    ['DOC', compound(['1Table', 'WordDocument']), 'document', 'application/msword'],
    ['DOC with a table of Excel inside', compound(['Data', '1Table', 'WordDocument', 'x'], ['Workbook']), 'document', 'application/msword'],
    ['XLS', compound(['Workbook']), 'document', 'application/vnd.ms-excel'],
    ['XLS with a letter of Word inside', compound(['Workbook'], ['WordDocument']), 'document', 'application/vnd.ms-excel'],
    ['an older XLS', compound(['Book']), 'document', 'application/vnd.ms-excel'],
    ['PPT', compound(['Current User', 'PowerPoint Document']), 'document', 'application/vnd.ms-powerpoint'],
    ['DOCX', ooxml('word'), 'document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['XLSX', ooxml('xl'), 'document', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['PPTX', ooxml('ppt'), 'document', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
    ['text', text('Olá, ação!'), 'document', 'text/plain'],
    ['a single character', text('x'), 'document', 'text/plain'],
    ['CSV', text('nome;valor\nJosé;1,50\n'), 'document', 'text/plain'],
    ['HTML, as text', text('<!doctype html><script>alert(1)</script>'), 'document', 'text/plain'],
    ['SVG, as text', text('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'document', 'text/plain'],
    ['a still sticker', webp(), 'sticker', 'image/webp'],
    ['a sticker of the simple form', simpleWebp(), 'sticker', 'image/webp'],
  ])('%s', async (_what, bytes, kind, mimeType) => {
    expect(await detect(bytes)).toEqual({ kind, animated: false, mimeType })
  })

  test('an animated sticker', async () => {
    expect(await detect(webp({ animated: true }))).toEqual({ kind: 'sticker', animated: true, mimeType: 'image/webp' })
  })

  test('text whose characters lie across the pieces in which it is read', async () => {
    expect(await detect(text(`x${'ç'.repeat(100_000)}`))).toMatchObject({ mimeType: 'text/plain' })
  })
})

describe('what upstream would refuse says what it is', () => {
  test.each([
    ['GIF', gif(), /^is image\/gif\./],
    ['WAV', wav(), /^is audio\/wav\./],
    ['OGG with Vorbis', ogg('vorbis'), /^is audio\/ogg without Opus\./],
    ['MP4 with HEVC', movie({ video: ['hvc1'] }), /with HEVC \(H\.265\), hvc1, where only H\.264/],
    ['MP4 with MPEG-4 video', movie({ video: ['mp4v'] }), /with MPEG-4 Part 2 \(DivX, Xvid\), mp4v,/],
    ['MP4 with MP3 audio', movie({ audio: [0x6b] }), /with MP3, mp4a\.6b,/],
    ['M4A with ALAC', movie({ brand: 'M4A ', video: [], audio: ['alac'] }), /with Apple Lossless \(ALAC\), alac,/],
    ['3GP with AMR', movie({ brand: '3gp4', audio: ['samr'] }), /with AMR, samr,/],
    ['MP4 with two audio tracks', movie({ audio: [0x40, 0x40] }), /with 2 audio tracks/],
    ['MP4 without tracks', movie({ video: [], audio: [] }), /without any video or audio/],
    ['MP4 that is cut off before its tracks', movie({ dataFirst: true }).subarray(0, 40), /list of tracks cannot be read/],
    ['QuickTime', movie({ brand: 'qt  ' }), /^is video\/quicktime\./],
    ['a mail of Outlook', compound(['__properties_version1.0']), /^is a compound file, but no Word/],
    ['a compound file that is cut off', compound(['WordDocument']).subarray(0, 600), /^is a compound file, but no Word/],
    ['ZIP', zip([['a.txt', 'x']]), /^is application\/zip\./],
    ['Latin-1', Buffer.from('Ol\xe1', 'latin1'), /not plain text in UTF-8/],
    ['half a character at the end', text('açã').subarray(0, 4), /not plain text in UTF-8/],
    ['NUL', text('a\0b'), /not plain text in UTF-8/],
    ['UTF-16', Buffer.from('\ufeffolá', 'utf16le'), /not plain text in UTF-8/],
  ])('%s', async (_what, bytes, words) => {
    expect(await detect(bytes)).toMatch(words)
  })
})

test('a file that contradicts itself everywhere is refused in bounded time', async () => {
  // A directory whose sectors lead in a circle, and a tree that does.
  const round = compound(['A', 'B'])
  round.writeUInt32LE(round.readUInt32LE(48), 512 + round.readUInt32LE(48) * 4)
  expect(await detect(round)).toMatch(/compound file/)
  const boxes = Buffer.concat([
    movie().subarray(0, 20),
    ...Array.from({ length: 20_000 }, () => Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65])),
  ])
  expect(await detect(boxes)).toMatch(/list of tracks cannot be read/)
})
