import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlantedBug } from './bugs/planted-bug.ts'

/** A throw-away copy of what git knows of the tree, as it lies there now, with the packages of the tree itself. */
export function copyTree(root: string): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pombo-planted-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  // A file that was removed and not yet committed is listed all the same.
  for (const path of listed.split('\0')) if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path))
  // npm puts a package into a workspace's own folder where another version of it stands at the root.
  for (const each of ['.', 'server', 'simulator', 'console', 'sdk', 'bench', 'contract'])
    if (existsSync(join(root, each, 'node_modules'))) symlinkSync(join(root, each, 'node_modules'), join(folder, each, 'node_modules'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Puts the bug in. Throws when the file has no such place, or more than one: then nobody knows what would be tested. */
export function plantBug(folder: string, bug: PlantedBug): void {
  const file = join(folder, bug.file)
  writeFileSync(file, withBug(readFileSync(file, 'utf8'), bug))
}

/** The text with the bug in it. */
export function withBug(text: string, { name, file, find, replace }: PlantedBug): string {
  const [before, after, ...more] = text.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${name}: ${file} must have its place exactly once, not ${after === undefined ? 'never' : `${more.length + 1} times`}.`)
  return before + replace + after
}
