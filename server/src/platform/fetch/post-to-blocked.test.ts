import { isIP } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { createStrangerClient, type StrangerClient } from './post-to-stranger.ts'
import { readCorpus } from './read-corpus.ts'
import type { ResolveHost } from './resolve-host.ts'
import { rawReceiver, receiverCertificate, type StrangeReceiver, tlsReceiver } from './strange-receivers.ts'
import type { StrangerPolicy } from './stranger-policy.ts'

// The canaries listen on both loopback addresses, on one port. `::1` plays the public internet where a test needs an address that may be reached.
let canary: StrangeReceiver
let canary6: StrangeReceiver
const clients: StrangerClient[] = []

beforeAll(async () => {
  canary = await rawReceiver(() => undefined)
  canary6 = await rawReceiver(() => undefined, { host: '::1', port: canary.port })
})

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

afterAll(async () => {
  await Promise.all([canary.close(), canary6.close()])
})

function client(policy: Partial<StrangerPolicy>, resolve: ResolveHost = () => Promise.reject(new Error('no name is resolved here'))) {
  const whole = { allowPrivate: false, allowCidrs: [], certificateAuthorities: receiverCertificate(), ownEndpoints: [], ...policy }
  const made = createStrangerClient({ clock: systemClock(), policy: whole, resolve, deadlineMs: 2_000 })
  clients.push(made)
  return made
}

const answers =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const post = (from: StrangerClient, url: string) => from.post({ url, headers: {}, body: Buffer.from('{}') })
const canaryHits = () => canary.connections + canary6.connections
const refusedAddress = { statusCode: null, error: 'blocked', bodyHead: '' }
const blockedAddresses = () => readCorpus('addresses').filter(({ verdict }) => verdict === 'blocked')

describe('a forbidden address is never connected to', () => {
  test('the canaries do see a connection when nothing forbids it', async () => {
    const before = { four: canary.connections, six: canary6.connections }
    const open = client({ allowPrivate: true })
    const calls = [post(open, `http://127.0.0.1:${canary.port}/`), post(open, `http://[::1]:${canary.port}/`)]
    await Promise.all([canary.requested(), canary6.requested()])
    await open.close()
    expect((await Promise.all(calls)).map(({ error }) => error)).toEqual(['closed', 'closed'])
    expect([canary.connections - before.four, canary6.connections - before.six]).toEqual([1, 1])
  })

  // rule: delivery 8
  test('as a literal in the URL, in every form of the table', async () => {
    const before = canaryHits()
    const strict = client({})
    const urls = readCorpus('urls').filter(({ verdict }) => verdict === 'refused')
    const literals = blockedAddresses().filter(({ text }) => isIP(text) !== 0)
    const hosts = literals.map(({ text }) => `https://${text.includes(':') ? `[${text}]` : text}:${canary.port}/`)
    for (const url of [...urls.map(({ text }) => text), ...hosts]) {
      expect(await post(strict, url), url).toMatchObject(refusedAddress)
    }
    expect(urls.length + hosts.length).toBeGreaterThan(300)
    expect(canaryHits()).toBe(before)
  })

  test('as the answer of a name server, in every form of the table', async () => {
    const before = canaryHits()
    const forms = blockedAddresses().map(({ text }) => text)
    const strict = client({}, (host) => answers(forms[Number.parseInt(host.slice('form-'.length), 10)] ?? '')(host))
    for (const [number, text] of forms.entries()) {
      expect(await post(strict, `https://form-${number}.test:${canary.port}/`), text).toMatchObject(refusedAddress)
    }
    expect(canaryHits()).toBe(before)
  })

  test('beside an allowed one in the same answer, first or last', async () => {
    const before = canaryHits()
    for (const mixed of [
      ['::1', '127.0.0.1'],
      ['127.0.0.1', '::1'],
      ['::1', '::1', '::ffff:127.0.0.1'],
      ['::1', '10.0.0.1'],
    ]) {
      const strict = client({ allowCidrs: ['::1'] }, answers(...mixed))
      expect(await post(strict, `https://receiver.test:${canary.port}/`)).toMatchObject(refusedAddress)
    }
    expect(canaryHits()).toBe(before)
  })

  test('also past the addresses that would be tried', async () => {
    const strict = client({ allowCidrs: ['::1'] }, answers(...Array.from({ length: 40 }, () => '::1'), '127.0.0.1'))
    expect(await post(strict, `https://receiver.test:${canary.port}/`)).toMatchObject(refusedAddress)
  })

  test('when the name changes between the check and the connection: it is resolved once, and what was checked is what is called', async () => {
    const real = await tlsReceiver({ host: '::1' })
    const trap = await rawReceiver(() => undefined, { host: '127.0.0.1', port: real.port })
    let asked = 0
    const rebinding: ResolveHost = async (host) => {
      asked += 1
      return asked === 1 ? answers('::1')(host) : answers('127.0.0.1')(host)
    }
    const strict = client({ allowCidrs: ['::1'] }, rebinding)
    const url = `https://receiver.test:${real.port}/`
    expect(await post(strict, url)).toMatchObject({ statusCode: 200, error: null, bodyHead: `host receiver.test:${real.port}` })
    expect([asked, real.connections]).toEqual([1, 1])
    // The next connection asks anew, gets the forbidden address and stops there.
    expect(await post(strict, url)).toMatchObject(refusedAddress)
    expect([asked, real.connections, trap.connections]).toEqual([2, 1, 0])
    await Promise.all([real.close(), trap.close()])
  })
})

describe('our own endpoints stay shut where private receivers are allowed', () => {
  const ours = (host: string) => client({ allowPrivate: true, ownEndpoints: [{ host, port: canary.port }] }, answers('127.0.0.1'))

  test.each(['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'])(
    'listening on %s: loopback in all forms and names are refused',
    async (host) => {
      const before = canaryHits()
      const open = ours(host)
      for (const target of ['127.0.0.1', '127.0.0.2', '[::1]', '[::ffff:127.0.0.1]', '[::]', '0.0.0.0', 'localhost', 'receiver.test']) {
        expect(await post(open, `http://${target}:${canary.port}/`), target).toMatchObject(refusedAddress)
      }
      expect(canaryHits()).toBe(before)
    },
  )

  test('a neighbour on another port is called', async () => {
    const neighbour = await rawReceiver((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
    expect(await post(ours('127.0.0.1'), `http://127.0.0.1:${neighbour.port}/`)).toMatchObject({ statusCode: 204, error: null })
    await neighbour.close()
  })

  // rule: delivery 8
  test('an endpoint elsewhere shuts its own address only', async () => {
    const open = client({ allowPrivate: true, ownEndpoints: [{ host: '10.9.8.7', port: canary.port }] }, answers('10.9.8.7'))
    expect(await post(open, `http://receiver.test:${canary.port}/`)).toMatchObject(refusedAddress)
    expect(await post(open, `http://[::ffff:10.9.8.7]:${canary.port}/`)).toMatchObject(refusedAddress)
    const call = post(open, `http://127.0.0.1:${canary.port}/`)
    await canary.requested()
    await open.close()
    expect(await call).toMatchObject({ error: 'closed' })
  })

  test('an opened range does not open them', async () => {
    const policy = { allowCidrs: ['127.0.0.0/8', '::1'], ownEndpoints: [{ host: '127.0.0.1', port: canary.port }] }
    expect(await post(client(policy), `https://127.0.0.1:${canary.port}/`)).toMatchObject(refusedAddress)
    expect(await post(client(policy, answers('::1')), `https://receiver.test:${canary.port}/`)).toMatchObject(refusedAddress)
  })

  test('while the name of an endpoint cannot be resolved, its port is not called at all', async () => {
    const unknown: ResolveHost = (host) => (host === 'database.internal' ? Promise.reject(new Error('down')) : answers('127.0.0.1')(host))
    const open = client({ allowPrivate: true, ownEndpoints: [{ host: 'database.internal', port: canary.port }] }, unknown)
    const before = canaryHits()
    for (const target of ['receiver.test', '127.0.0.1']) {
      expect(await post(open, `http://${target}:${canary.port}/`)).toMatchObject({ statusCode: null, error: 'dns' })
    }
    expect(canaryHits()).toBe(before)
  })
})
