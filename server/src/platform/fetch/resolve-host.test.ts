import { createSocket, type Socket } from 'node:dgram'
import { afterEach, describe, expect, test } from 'vitest'
import { publicNames, systemNames } from './resolve-host.ts'

const sockets: Socket[] = []

afterEach(async () => {
  await Promise.all(sockets.splice(0).map((socket) => new Promise<void>((resolve) => socket.close(resolve))))
})

type Answers = { a: string[] | 'refused'; aaaa: string[] | 'refused' }

/** A name server that gives every name the same addresses (IPv6 as 32 hexadecimal digits), and counts what it is asked. */
async function nameServer(answers: Answers): Promise<{ server: string; questions: string[] }> {
  const socket = createSocket('udp4')
  sockets.push(socket)
  const questions: string[] = []
  socket.on('message', (query, from) => {
    const questionEnd = query.indexOf(0, 12) + 5
    const wantsV6 = query.readUInt16BE(questionEnd - 4) === 28
    questions.push(wantsV6 ? 'AAAA' : 'A')
    socket.send(reply(query.subarray(0, questionEnd), wantsV6 ? answers.aaaa : answers.a, wantsV6), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { server: `127.0.0.1:${socket.address().port}`, questions }
}

function reply(question: Buffer, addresses: string[] | 'refused', v6: boolean): Buffer {
  const given = addresses === 'refused' ? [] : addresses
  const header = Buffer.from(question)
  header.writeUInt16BE(addresses === 'refused' ? 0x8185 : 0x8180, 2)
  header.writeUInt16BE(given.length, 6)
  header.fill(0, 8, 12)
  const records = given.map((address) => {
    const data = v6 ? Buffer.from(address, 'hex') : Buffer.from(address.split('.').map(Number))
    // The name again (a pointer to the question), type, class, 60 seconds, length.
    return Buffer.concat([Buffer.from([0xc0, 12, 0, v6 ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
  })
  return Buffer.concat([header, ...records])
}

const v6 = '20010000000000000000000000000007'

describe('the names of strangers', () => {
  test('give all their IPv4 and IPv6 addresses', async () => {
    const { server, questions } = await nameServer({ a: ['192.0.2.1', '127.0.0.1'], aaaa: [v6] })
    expect(await publicNames([server])('receiver.test')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
      { address: '2001::7', family: 6 },
    ])
    expect(questions.sort()).toEqual(['A', 'AAAA'])
  })

  test('are known where only one family is answered', async () => {
    const four = await nameServer({ a: ['192.0.2.1'], aaaa: 'refused' })
    expect(await publicNames([four.server])('receiver.test')).toEqual([{ address: '192.0.2.1', family: 4 }])
    const six = await nameServer({ a: [], aaaa: [v6] })
    expect(await publicNames([six.server])('receiver.test')).toEqual([{ address: '2001::7', family: 6 }])
  })

  test('are unknown where the name server refuses or has nothing, whatever the hosts file says', async () => {
    for (const answers of [{ a: 'refused', aaaa: 'refused' } as const, { a: [], aaaa: [] }]) {
      const { server } = await nameServer(answers)
      await expect(publicNames([server])('localhost')).rejects.toThrow()
    }
  })
})

test('the names that the operator vouches for are also looked up in the hosts file', async () => {
  const found = await systemNames('localhost')
  expect(['127.0.0.1', '::1']).toContain(found[0]?.address)
})
