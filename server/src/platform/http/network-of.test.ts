import { expect, test } from 'vitest'
import { addressTest, isNear, networkOf } from './network-of.ts'

test('all addresses of one /64 are one network, however they are written, and the next /64 is another', () => {
  const one = networkOf('2001:db8::1')
  expect(['2001:db8:0:0:ffff::1', '2001:db8::ffff:0:0:1', '2001:db8:0:0:1:2:3:4'].map(networkOf)).toEqual([one, one, one])
  expect(networkOf('2001:db8:0:1::1')).not.toBe(one)
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0')
})

test('an IPv4 address is one network, also in the form of IPv6', () => {
  expect([networkOf('::ffff:192.0.2.1'), networkOf('192.0.2.1')]).toEqual(['192.0.2.1', '192.0.2.1'])
})

test('ranges and single addresses are found in both forms', () => {
  const isProxy = addressTest(['192.0.2.0/24', '198.51.100.7', '2001:db8::/32'])
  expect(['192.0.2.9', '::ffff:192.0.2.9', '198.51.100.7', '2001:db8:1::1'].every(isProxy)).toBe(true)
  expect(['198.51.100.8', '2001:db9::1', '', 'nonsense'].some(isProxy)).toBe(false)
  expect([isNear('127.0.0.1'), isNear('::ffff:10.1.2.3'), isNear('8.8.8.8')]).toEqual([true, true, false])
})
