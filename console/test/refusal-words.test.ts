import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

type Reasons = Record<string, readonly string[]>
type Document = { components: { schemas: { Error: { 'x-reasons': Reasons } } } }
type Words = { reason: Record<string, string> }

const read = async <Content>(path: string) => JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')) as Content

test.for(['pt-BR', 'en'])(
  'in %s there are words for every reason of a refusal, which fill in nothing that the reason does not have',
  async (language) => {
    const { components } = await read<Document>('contract/console.json')
    const reasons = components.schemas.Error['x-reasons']
    const { reason: words } = await read<Words>(`console/src/locales/${language}/refusals.json`)
    expect(Object.keys(words).toSorted()).toEqual(Object.keys(reasons).toSorted())
    for (const [code, sentence] of Object.entries(words)) {
      const filledIn = [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
      expect([code, filledIn.filter((name) => name === undefined || !reasons[code]?.includes(name))]).toEqual([code, []])
    }
  },
)
