import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

// Small files of every kind, made here byte by byte: what they are, their own code says.

const u16be = (value: number) => Buffer.from([value >> 8, value & 0xff])
const u32be = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8])
const u32 = (value: number) => u32be(value).reverse()
const ascii = (text: string) => Buffer.from(text, 'latin1')

/** A picture of one grey dot; `more` different ones exist by their colour. */
export function png(shade = 127): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([ascii(type), data])
    return Buffer.concat([u32be(data.length), body, u32be(crc32(body))])
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([u32be(1), u32be(1), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('tEXt', ascii(`Comment\0shade ${shade}`)),
    chunk('IDAT', deflateSync(Buffer.from([0, shade & 0xff, (shade >> 8) & 0xff, (shade >> 16) & 0xff]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Filled with a comment up to `bytes`. */
export function jpeg(bytes = 64): Buffer {
  const head = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), u16be(16), ascii('JFIF\0'), Buffer.from([1, 1, 0, 0, 1, 0, 1, 0, 0])])
  return Buffer.concat([head, Buffer.alloc(Math.max(0, bytes - head.length - 2), 0x20), Buffer.from([0xff, 0xd9])])
}

export const gif = (): Buffer => Buffer.concat([ascii('GIF89a'), Buffer.from([1, 0, 1, 0, 0, 0, 0, 0x3b])])

export function webp({ animated = false, bytes = 60 } = {}): Buffer {
  const extended = Buffer.concat([ascii('VP8X'), u32(10), Buffer.from([animated ? 0x02 : 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0])])
  const rest = Buffer.alloc(Math.max(0, bytes - 12 - extended.length - 8))
  const body = Buffer.concat([ascii('WEBP'), extended, ascii(animated ? 'ANIM' : 'VP8 '), u32(rest.length), rest])
  return Buffer.concat([ascii('RIFF'), u32(body.length), body])
}

/** A WebP of the simple form, which cannot move. */
export const simpleWebp = (): Buffer => Buffer.concat([ascii('RIFF'), u32(22), ascii('WEBPVP8L'), u32(10), Buffer.alloc(10)])

export const aac = (): Buffer =>
  Buffer.concat(Array.from({ length: 4 }, () => Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x01, 0x7f, 0xfc, 0x21, 0x10, 0x04, 0x60])))
export const amr = (): Buffer => Buffer.concat([ascii('#!AMR\n'), Buffer.alloc(64, 0x3c)])
/** Four frames of MPEG-1 layer III at 128 kbit/s. */
export const mp3 = (): Buffer =>
  Buffer.concat(Array.from({ length: 4 }, () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])))

export function ogg(codec: 'opus' | 'vorbis'): Buffer {
  const head =
    codec === 'opus'
      ? Buffer.concat([ascii('OpusHead'), Buffer.from([1, 1]), Buffer.alloc(9)])
      : Buffer.concat([Buffer.from([1]), ascii('vorbis'), Buffer.alloc(23)])
  return Buffer.concat([ascii('OggS'), Buffer.from([0, 2]), Buffer.alloc(20), Buffer.from([1, head.length]), head])
}

export const wav = (): Buffer => Buffer.concat([ascii('RIFF'), u32(36), ascii('WAVEfmt '), Buffer.alloc(24)])

type Box = Buffer
const box = (type: string, ...parts: readonly Buffer[]): Box => {
  const body = Buffer.concat([...parts])
  return Buffer.concat([u32be(body.length + 8), ascii(type), body])
}
const full = (type: string, ...parts: readonly Buffer[]): Box => box(type, u32be(0), ...parts)

export type MovieOptions = {
  /** Of the file type box: `isom`, `M4A `, `3gp4`, `qt  `. */
  brand?: string
  /** Sample entries of the video and audio tracks. */
  video?: readonly string[]
  audio?: readonly (string | number)[]
  /** The list of tracks behind the data, as most recorders write it. */
  dataFirst?: boolean
  dataBytes?: number
}

/** An MP4 or one of its relatives. An audio entry that is a number is `mp4a` of that object type: 0x40 is AAC, 0x6b MP3. */
export function movie({ brand = 'isom', video = ['avc1'], audio = [0x40], dataFirst = false, dataBytes = 16 }: MovieOptions = {}): Buffer {
  const tracks = [
    ...video.map((codec) => track('vide', box(codec, Buffer.alloc(78)))),
    ...audio.map((codec) =>
      track('soun', typeof codec === 'string' ? box(codec, Buffer.alloc(28)) : box('mp4a', Buffer.alloc(28), esds(codec))),
    ),
  ]
  const type = box('ftyp', ascii(brand), u32be(0), ascii(brand))
  const moov = box('moov', full('mvhd', Buffer.alloc(96)), ...tracks)
  const data = box('mdat', Buffer.alloc(dataBytes))
  return Buffer.concat(dataFirst ? [type, data, moov] : [type, moov, data])
}

function track(handler: string, entry: Box): Box {
  const table = box('stbl', full('stsd', u32be(1), entry))
  return box('trak', box('mdia', full('hdlr', u32be(0), ascii(handler), Buffer.alloc(12), ascii('\0')), box('minf', table)))
}

function esds(objectType: number): Box {
  const config = Buffer.concat([Buffer.from([0x04, 0x80, 0x80, 0x80, 13, objectType]), Buffer.alloc(12)])
  return full('esds', Buffer.from([0x03, 0x80, 0x80, 0x80, 3 + config.length, 0, 1, 0]), config)
}

export const pdf = (words = 'um'): Buffer => ascii(`%PDF-1.4\n% ${words}\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n`)

/** `word`, `xl` and `ppt` are what stands in the main part of the three kinds of Office documents. */
export function ooxml(kind: 'word' | 'xl' | 'ppt'): Buffer {
  const types = {
    word: 'wordprocessingml.document.main+xml',
    xl: 'spreadsheetml.sheet.main+xml',
    ppt: 'presentationml.presentation.main+xml',
  }
  const content = `<Types><Override PartName="/${kind}/main.xml" ContentType="application/vnd.openxmlformats-officedocument.${types[kind]}"/></Types>`
  return zip([
    ['[Content_Types].xml', content],
    [`${kind}/main.xml`, '<x/>'],
  ])
}

export function zip(files: readonly (readonly [string, string])[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  for (const [name, text] of files) {
    const data = deflateRawSync(text)
    const about = Buffer.concat([
      u16(20),
      u16(0),
      u16(8),
      u32(0),
      u32(crc32(text)),
      u32(data.length),
      u32(text.length),
      u16(name.length),
      u16(0),
    ])
    const at = local.reduce((sum, each) => sum + each.length, 0)
    local.push(Buffer.concat([ascii('PK\x03\x04'), about, ascii(name), data]))
    central.push(Buffer.concat([ascii('PK\x01\x02'), u16(20), about, Buffer.alloc(10), u32(at), ascii(name)]))
  }
  const [files_, directory] = [Buffer.concat(local), Buffer.concat(central)]
  const end = Buffer.concat([
    ascii('PK\x05\x06'),
    u32(0),
    u16(files.length),
    u16(files.length),
    u32(directory.length),
    u32(files_.length),
    u16(0),
  ])
  return Buffer.concat([files_, directory, end])
}

/** A compound file with these streams below its root, and `inner` ones inside of a storage there. */
export function compound(names: readonly string[], inner: readonly string[] = []): Buffer {
  const none = 0xffff_ffff
  const entry = (name: string, type: number, { left = none, right = none, child = none } = {}) => {
    const bytes = Buffer.alloc(128)
    bytes.write(name, 0, 'utf16le')
    bytes.writeUInt16LE((name.length + 1) * 2, 64)
    bytes[66] = type
    bytes.writeUInt32LE(left, 68)
    bytes.writeUInt32LE(right, 72)
    bytes.writeUInt32LE(child, 76)
    return bytes
  }
  // A tree that leans to one side: each sibling is the next one's left.
  const siblings = [...names, 'Storage']
  const first = 1
  const innerFirst = first + siblings.length
  const entries = [
    entry('Root Entry', 5, { child: first }),
    ...siblings.map((name, i) =>
      entry(name, name === 'Storage' ? 1 : 2, {
        left: i + 1 < siblings.length ? first + i + 1 : none,
        child: name === 'Storage' && inner.length > 0 ? innerFirst : none,
      }),
    ),
    ...inner.map((name, i) => entry(name, 2, { right: i + 1 < inner.length ? innerFirst + i + 1 : none })),
  ]
  while (entries.length % 4 !== 0) entries.push(Buffer.alloc(128))
  const directorySectors = entries.length / 4
  // Sector 0 is the table; the directory follows it backwards, so that only the table tells its order.
  const order = Array.from({ length: directorySectors }, (_, i) => directorySectors - i)
  const table = Buffer.alloc(512, 0xff)
  table.writeUInt32LE(0xffff_fffd, 0)
  order.forEach((sector, i) => {
    table.writeUInt32LE(order[i + 1] ?? 0xffff_fffe, sector * 4)
  })
  const sectors = Array.from({ length: directorySectors }, () => Buffer.alloc(512))
  order.forEach((sector, i) => {
    sectors[sector - 1] = Buffer.concat(entries.slice(i * 4, i * 4 + 4))
  })
  const header = Buffer.alloc(512)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(header)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(order[0] ?? none, 48)
  header.writeUInt32LE(0xffff_fffe, 60)
  header.writeUInt32LE(0xffff_fffe, 68)
  header.fill(0xff, 76)
  header.writeUInt32LE(0, 76)
  return Buffer.concat([header, table, ...sectors])
}
