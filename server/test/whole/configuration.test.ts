import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settings } from '../../src/config.ts'

const page = new URL('../../../docs/configuration.md', import.meta.url)

test('docs/configuration.md has exactly one row for every setting, with its meaning and its default', async () => {
  // The formatter pads the columns.
  const lines = (await readFile(page, 'utf8')).split('\n').map((line) => line.replace(/ +\|/g, ' |'))
  const rows = lines.filter((line) => /^\| `[A-Z_]+` \|/.test(line))
  expect(rows).toEqual(Object.values(settings).map((each) => `| \`${each.name}\` | ${each.meaning} | ${each.defaultText} |`))
})
