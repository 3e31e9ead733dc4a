import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockedAddress, isCidr } from './blocked-address.ts'
import { readCorpus } from './read-corpus.ts'

const strict = blockedAddress({ allowPrivate: false, allowCidrs: [] })

// Written down a second time on purpose, as the first address of each range and the number of its bits: the test must not believe the list it tests.
const forbiddenV4: [number, number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
  [0xa83f8110, 32],
]
const forbiddenV6: [string, number][] = [
  ['fc00', 7],
  ['fe80', 10],
  ['fec0', 10],
  ['ff00', 8],
  ['0100000000000000', 64],
  ['20010db8', 32],
  ['3fff', 20],
  ['5f00', 16],
]

const dotted = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')
const hex = (address: number) => `${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`
const inside = (first: number, bits: number) => fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((offset) => first + offset)
const forbidden = (address: number) => forbiddenV4.some(([first, bits]) => address >= first && address < first + 2 ** (32 - bits))

const embeddings: ((address: number) => string)[] = [
  dotted,
  (address) => `::ffff:${dotted(address)}`,
  (address) => `0:0:0:0:0:FFFF:${hex(address).toUpperCase()}`,
  (address) => `::ffff:0:${hex(address)}`,
  (address) => `64:ff9b::${hex(address)}`,
  (address) => `64:ff9b:1::${dotted(address)}`,
  (address) => `2002:${hex(address)}:1:2:3:4:5`,
  (address) => `2001:0:${hex(address)}:8000:1:f7f7:f7f7`,
  (address) => `2001:0:808:808:8000:1:${hex(~address >>> 0)}`,
]

describe('an address', () => {
  test.each(readCorpus('addresses'))('$text is $verdict ($why)', ({ verdict, text }) => {
    expect(strict(text)).toBe(verdict === 'blocked')
  })

  test('the table of addresses and URLs has at least 300 cases and both verdicts', () => {
    const verdicts = [...readCorpus('addresses'), ...readCorpus('urls')].map(({ verdict }) => verdict)
    expect(verdicts.length).toBeGreaterThanOrEqual(300)
    expect(new Set(verdicts)).toEqual(new Set(['blocked', 'allowed', 'refused', 'accepted']))
  })

  test('inside a forbidden IPv4 range is blocked however it is embedded in IPv6', () => {
    const address = fc.oneof(...forbiddenV4.map(([first, bits]) => inside(first, bits)))
    fc.assert(
      fc.property(address, fc.constantFrom(...embeddings), (each, embed) => strict(embed(each))),
      { numRuns: 2_000 },
    )
  })

  test('is blocked exactly when the IPv4 address inside lies in a forbidden range', () => {
    const address = fc.integer({ min: 0, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(address, fc.constantFrom(...embeddings), (each, embed) => strict(embed(each)) === forbidden(each)),
      { numRuns: 2_000 },
    )
  })

  test('inside a forbidden IPv6 range is blocked', () => {
    const digits = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })
    const address = fc.tuple(fc.constantFrom(...forbiddenV6), digits).map(([[prefix, bits], random]) => {
      const first = BigInt(`0x${prefix.padEnd(32, '0')}`)
      return (first | (random & (2n ** BigInt(128 - bits) - 1n))).toString(16).padStart(32, '0')
    })
    fc.assert(
      fc.property(address, (each) => strict(each.replace(/(.{4})(?!$)/g, '$1:'))),
      { numRuns: 2_000 },
    )
  })

  test('counts as blocked when the text is no address at all', () => {
    fc.assert(fc.property(fc.string(), (text) => strict(text) || /^[0-9a-fA-F:.]+$/.test(text)))
  })
})

describe('what the operator allows', () => {
  test('private receivers: networks of one’s own are open, metadata and reserved ranges stay shut', () => {
    const blocked = blockedAddress({ allowPrivate: true, allowCidrs: [] })
    const open = ['127.0.0.1', '::1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', 'fd00::1', '::ffff:127.0.0.1', '8.8.8.8']
    expect(open.filter(blocked)).toEqual([])
    const shut = [
      '0.0.0.0',
      '::',
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '224.0.0.1',
      '255.255.255.255',
      'fe80::1',
      'ff02::1',
      'nonsense',
    ]
    expect(shut.filter((each) => !blocked(each))).toEqual([])
  })

  test('a range opens itself and nothing beside it, also where IPv6 carries it', () => {
    const blocked = blockedAddress({ allowPrivate: false, allowCidrs: ['10.20.0.0/16', 'fd00:1::/32', '192.168.7.7'] })
    const open = ['10.20.0.0', '10.20.255.255', '::ffff:10.20.1.1', 'fd00:1::5', '192.168.7.7', '1.1.1.1']
    expect(open.filter(blocked)).toEqual([])
    const shut = ['10.19.255.255', '10.21.0.0', '::ffff:10.21.0.0', 'fd00:2::5', '192.168.7.8', '127.0.0.1']
    expect(shut.filter((each) => !blocked(each))).toEqual([])
  })

  test('a range must be written as an address and the number of its bits', () => {
    const good = ['10.0.0.0/8', '10.0.0.1', 'fd00::/8', '::1', '0.0.0.0/0', '::/128']
    expect(good.filter((each) => !isCidr(each))).toEqual([])
    const bad = [
      '',
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0/8',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0.0/-1',
      'localhost',
      'fe80::1%eth0/64',
      '10.0.0.0/ 8',
    ]
    expect(bad.filter(isCidr)).toEqual([])
    expect(() => blockedAddress({ allowPrivate: false, allowCidrs: ['10.0.0.0/33'] })).toThrow('bug:')
  })
})
