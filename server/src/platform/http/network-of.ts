import { BlockList, isIP } from 'node:net'

const plainAddress = (address: string): string => (address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address)

/**
 * What counts as one caller by its network address: the address itself, or the /64 of IPv6 that one subscriber has. An IPv4 address in the
 * form of IPv6 is the IPv4 address.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (!plain.includes(':')) return plain
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':')
}

/** Whether an address lies in one of these addresses and ranges. */
export function addressTest(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return (address) => {
    const plain = plainAddress(address)
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Whether an address is this machine itself. */
export const isLoopback = addressTest(['127.0.0.0/8', '::1'])

/** Whether an address is this machine's or its neighbourhood's, where proxies and health checks come from. */
export const isNear = addressTest([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1',
  'fc00::/7',
  'fe80::/10',
])
