/** What people call the codecs that phones, cameras and editors write, by the name of the sample entry. */
const names: Readonly<Record<string, string>> = {
  hvc1: 'HEVC (H.265)',
  hev1: 'HEVC (H.265)',
  dvh1: 'Dolby Vision (H.265)',
  dvhe: 'Dolby Vision (H.265)',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
  mp4v: 'MPEG-4 Part 2 (DivX, Xvid)',
  s263: 'H.263',
  h263: 'H.263',
  jpeg: 'Motion JPEG',
  mjpa: 'Motion JPEG',
  apcn: 'ProRes',
  apch: 'ProRes',
  apcs: 'ProRes',
  apco: 'ProRes',
  ap4h: 'ProRes',
  'mp4a.6b': 'MP3',
  'mp4a.69': 'MP3',
  'mp4a.a5': 'Dolby Digital (AC-3)',
  'mp4a.a6': 'Dolby Digital Plus (E-AC-3)',
  'ac-3': 'Dolby Digital (AC-3)',
  'ec-3': 'Dolby Digital Plus (E-AC-3)',
  samr: 'AMR',
  sawb: 'AMR-WB',
  Opus: 'Opus',
  fLaC: 'FLAC',
  alac: 'Apple Lossless (ALAC)',
  lpcm: 'uncompressed PCM',
  sowt: 'uncompressed PCM',
  twos: 'uncompressed PCM',
  encv: 'encrypted video',
  enca: 'encrypted audio',
}

/** A codec as people know it, with the file's own name of it: `HEVC (H.265), hvc1`. The latter alone where it has no other. */
export function codecWords(codec: string): string {
  const name = names[codec]
  return name === undefined || name === codec ? codec : `${name}, ${codec}`
}
