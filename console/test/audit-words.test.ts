import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

type Document = { paths: Record<string, Record<string, { operationId: string }>> }
type Words = { audit: { operation: Record<string, string> } }

const read = async <Content>(path: string) => JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')) as Content

/** Too small for the audit log: their routes say so. */
const untold = ['readConversation', 'showTyping', 'checkChannel']

test('the audit log has words for everything that somebody may do in an account', async () => {
  const { paths } = await read<Document>('contract/console.json')
  const { audit } = await read<Words>('console/src/locales/en/members.json')
  const changing = Object.entries(paths)
    .filter(([path]) => path.startsWith('/account/'))
    .flatMap(([, methods]) => Object.entries(methods))
    .flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId]))
  expect(changing.length).toBeGreaterThan(20)
  expect(changing.filter((operation) => audit.operation[operation] === undefined && !untold.includes(operation))).toEqual([])
})
