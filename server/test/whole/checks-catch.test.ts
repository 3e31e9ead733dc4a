import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strayReExports } from '../../../tools/re-exports.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const binaries = join(root, 'node_modules', '.bin')

/** Each breaks one direction, and the words are those of the rule that must notice. */
const faults = [
  {
    what: 'a platform that knows a feature',
    path: 'platform/http/planted.ts',
    imported: '../../features/accounts/public.ts',
    words: 'platform/ knows',
  },
  { what: 'a base that uses a package', path: 'base/planted.ts', imported: 'pg', words: 'base/ imports only node:' },
  {
    what: 'an earlier feature that uses a later one',
    path: 'features/accounts/planted.ts',
    imported: '../messages/public.ts',
    words: 'accounts may import only',
  },
  {
    what: 'a feature that goes past a door',
    path: 'features/messages/planted.ts',
    imported: '../contacts/store.ts',
    words: 'through its public.ts',
  },
  { what: 'a feature that uses the wiring', path: 'features/notices/planted.ts', imported: '../../app.ts', words: 'never the wiring' },
  {
    what: 'wiring that goes past a door',
    path: 'planted-1.ts',
    imported: './features/messages/send.ts',
    words: 'uses the doors of a feature',
  },
  {
    what: 'a server that uses the simulator',
    path: 'planted-2.ts',
    imported: '../../simulator/src/line.ts',
    words: 'no code with the simulator',
  },
  { what: 'an import of nothing', path: 'planted-3.ts', imported: './nowhere.ts', words: 'leads to something that exists' },
  { what: 'a server that uses the SDK', path: 'planted-5.ts', imported: '../../sdk/src/index.ts', words: 'not the SDK' },
  { what: 'a setting that is read on the way', path: 'planted-4.ts', imported: './config.ts', words: 'Settings are read by' },
  { what: 'a ring of types', path: 'platform/fetch/planted-1.ts', imported: './planted-2.ts', words: 'No import rings' },
  { what: 'the other half of the ring', path: 'platform/fetch/planted-2.ts', imported: './planted-1.ts', words: 'No import rings' },
]
/** On some runtimes there is neither of the two. */
const notOfTheWeb = `import { readFile } from 'node:fs/promises'

export const planted = () => readFile(process.argv[1] ?? '')
`
const floating = `import pg from 'pg'

export function planted(pool: pg.Pool): void {
  pool.query('select 1')
}
`

/** A copy of the source with every fault in it: `npm run check` itself only ever sees the tree as it is. */
let copy: string
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'pombo-checks-'))
  for (const part of ['tools', 'server/src', 'server/test', 'server/package.json', 'simulator', 'sdk', 'tsconfig.json', 'package.json']) {
    await cp(join(root, part), join(copy, part), { recursive: true, filter: (path) => !path.slice(root.length).includes('node_modules') })
  }
  for (const part of ['', 'server']) await symlink(join(root, part, 'node_modules'), join(copy, part, 'node_modules'))
  for (const { path, imported } of faults)
    await writeFile(join(copy, 'server/src', path), `import type { planted } from '${imported}'\n\nexport type Planted = typeof planted\n`)
  await writeFile(join(copy, 'server/src/platform/database/planted.ts'), floating)
  await writeFile(join(copy, 'sdk/src/planted.ts'), notOfTheWeb)
})
afterAll(() => rm(copy, { recursive: true, force: true }))

describe('the import directions', () => {
  let ended: Ended
  beforeAll(async () => {
    ended = await run('node', ['tools/import-directions.ts', copy])
  })

  test.each(faults)('refuse $what', ({ path, words }) => {
    const lines = ended.output.split('\n').filter((line) => line.startsWith(`server/src/${path} → `))
    // The two halves of a ring are told once, from either.
    if (words !== 'No import rings') expect(lines.join('\n')).toContain(words)
    else expect(ended.output).toMatch(/fetch\/planted-\d\.ts → server\/src\/platform\/fetch\/planted-\d\.ts: No import rings/)
    expect(ended.code).toBe(1)
  })

  test('refuse an SDK that uses Node', () => {
    expect(ended.output).toMatch(/^sdk\/src\/planted\.ts → (node:)?fs\/promises: The SDK imports only itself/m)
  })

  test('refuse rings of folders, which the planted imports make, and nothing else', () => {
    const others = ended.output.split('\n').filter((line) => line !== '' && !line.includes('planted'))
    expect(others.length).toBeGreaterThan(0)
    expect(others.filter((line) => !line.endsWith('No rings of folders.'))).toEqual([])
  })
})

test('an SDK that knows of Node has no types for it', async () => {
  const { code, output } = await run('tsc', ['-p', 'sdk'])
  expect(output).toMatch(/planted\.ts\(1,.*node:fs\/promises/)
  expect(output).toMatch(/planted\.ts\(3,.*'process'/)
  expect(
    output
      .trim()
      .split('\n')
      .filter((line) => /^\S/.test(line) && !line.includes('planted.ts')),
  ).toEqual([])
  expect(code).not.toBe(0)
})

test('a promise that nobody waits for is refused, though its type comes from a package', async () => {
  const rules = ['-A', 'all', '-D', 'typescript/no-floating-promises', '-D', 'typescript/no-misused-promises']
  const { code, output } = await run('oxlint', ['--type-aware', ...rules, 'server/src/platform/database'])
  expect(output).toContain('no-floating-promises')
  expect(output).toContain('planted.ts:4')
  expect(output).toContain('1 error')
  expect(code).toBe(1)
})

test('a type that leaves its folder by a re-export is refused, which no tool sees', () => {
  const file = (path: string, text: string) => [{ path: `server/src/features/${path}`, text }]
  expect(strayReExports(file('messages/public.ts', "export type { Contact } from '../contacts/contact.ts'\n"))).toHaveLength(1)
  expect(strayReExports(file('messages/send.ts', "export type {\n  Message,\n} from './message.ts'\n"))).toHaveLength(1)
  expect(strayReExports(file('messages/public.ts', "export type { Message } from './message.ts'\n"))).toEqual([])
})

type Ended = { code: number; output: string }

function run(program: string, args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`, NO_COLOR: '1' }
  return new Promise((resolve) => {
    execFile(join(binaries, program), [...args], { cwd: copy, env, maxBuffer: 16_777_216 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      // Tools colour what they say where CI is set, whatever NO_COLOR says.
      resolve({ code, output: stripVTControlCharacters(`${stdout}${stderr}`) })
    })
  })
}
