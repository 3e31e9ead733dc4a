import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))
type Words = { [key: string]: string | Words }

const languages = ['pt-BR', 'en'] as const
const files = (await readdir(source, { recursive: true })).filter((path) => /\.tsx?$/.test(path) && !path.includes('generated'))
const namespaces = (await readdir(join(source, 'locales', 'en'))).map((name) => name.replace('.json', '')).toSorted()

async function wordsOf(language: string, namespace: string): Promise<Map<string, string>> {
  return flat(JSON.parse(await readFile(join(source, 'locales', language, `${namespace}.json`), 'utf8')) as Words)
}

function flat(words: Words, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[`${prefix}${key}`, value]] : [...flat(value, `${prefix}${key}.`)],
    ),
  )
}

/** Plural forms and what is filled in, as one key: `items_one`, `items_other` are `items`. */
const plain = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')
const filledIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted()

test('both languages have the same files', async () => {
  expect((await readdir(join(source, 'locales', 'pt-BR'))).map((name) => name.replace('.json', '')).toSorted()).toEqual(namespaces)
})

test.for(namespaces)('%s: both languages have the same keys, none is empty, and both fill in the same', async (namespace) => {
  const [portuguese, english] = await Promise.all(languages.map((language) => wordsOf(language, namespace)))
  expect(new Set([...(portuguese?.keys() ?? [])].map(plain))).toEqual(new Set([...(english?.keys() ?? [])].map(plain)))
  for (const [key, text] of portuguese ?? []) {
    expect(text.trim(), key).not.toBe('')
    const other = english?.get(key)
    if (other !== undefined) expect([key, filledIn(other)]).toEqual([key, filledIn(text)])
  }
})

test('every key that a page asks for exists, and every key is asked for', async () => {
  const known = new Map(
    await Promise.all(namespaces.map(async (name) => [name, new Set([...(await wordsOf('en', name)).keys()].map(plain))] as const)),
  )
  const used = new Map(namespaces.map((name) => [name, new Set<string>()]))
  const missing: string[] = []
  for (const file of files) {
    const text = await readFile(join(source, file), 'utf8')
    const bound = new Map<string, string>()
    for (const [, fields = '', namespace = ''] of text.matchAll(/const \{([^}]*)\} = useTranslation\('([\w-]+)'\)/g))
      for (const field of fields.split(',').map((each) => each.trim()))
        if (field === 't' || field.startsWith('t:')) bound.set(field === 't' ? 't' : field.slice(2).trim(), namespace)
    for (const [name, namespace] of bound) {
      const keys = known.get(namespace)
      if (keys === undefined) missing.push(`${file}: there is no ${namespace}.json`)
      for (const [, key = ''] of text.matchAll(new RegExp(`\\b${name}\\(\\s*'([^']+)'`, 'g'))) {
        if (!keys?.has(key)) missing.push(`${file}: ${namespace} has no ${key}`)
        used.get(namespace)?.add(key)
      }
      // One of two: both are asked for.
      for (const [, ...pair] of text.matchAll(new RegExp(`\\b${name}\\(\\s*[^'"\`()]*\\?\\s*'([\\w.]+)'\\s*:\\s*'([\\w.]+)'`, 'g')))
        for (const key of pair) {
          if (!keys?.has(key)) missing.push(`${file}: ${namespace} has no ${key}`)
          used.get(namespace)?.add(key)
        }
      // A key that is put together: all that begin so are asked for, and there must be some.
      for (const [, start = ''] of text.matchAll(new RegExp(`\\b${name}\\(\\s*\`([^\`$]+)\\$\\{`, 'g'))) {
        const begun = [...(keys ?? [])].filter((key) => key.startsWith(start))
        if (begun.length === 0) missing.push(`${file}: ${namespace} has nothing that begins with ${start}`)
        for (const key of begun) used.get(namespace)?.add(key)
      }
    }
  }
  expect(missing).toEqual([])
  const unused = namespaces.flatMap((name) =>
    [...(known.get(name) ?? [])].filter((key) => !used.get(name)?.has(key)).map((key) => `${name}: ${key}`),
  )
  expect(unused).toEqual([])
})
