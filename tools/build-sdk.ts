import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// What `npm run sdk:build` runs: makes the package that is published, complete in a folder of its own (`sdk/dist`, or the one that is named).
// In the workspace the SDK is TypeScript that Node runs unbuilt; what is published is JavaScript with declarations, and the two need different
// `exports`. npm takes those of the folder that it packs: `npm publish sdk/dist`.
const root = fileURLToPath(new URL('..', import.meta.url))
const sdk = join(root, 'sdk')
const [, , named] = process.argv
const target = named === undefined ? join(sdk, 'dist') : resolve(named)

// Only what an earlier build made is taken away.
if (named === undefined) await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })
await compile()
const { name, version, description, type, license } = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'))
const published = {
  ...{ name, version, description, type, license },
  keywords: ['whatsapp', 'whatsapp-business', 'messaging', 'webhooks', 'sdk'],
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  sideEffects: false,
  engines: { node: '>=20' },
}
await writeFile(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
await copyFile(join(sdk, 'README.md'), join(target, 'README.md'))
await copyFile(join(root, 'LICENSE'), join(target, 'LICENSE'))
console.log(`${name} ${version} is in ${target}. Publish it from there: npm publish ${target}`)

async function compile(): Promise<void> {
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  await promisify(execFile)(tsc, ['-p', join(sdk, 'tsconfig.build.json'), '--outDir', target])
}
