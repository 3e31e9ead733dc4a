import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

// Plain JavaScript, and nothing of npm's: the start of every program reads this first.
const root = new URL('..', import.meta.url)

/** Where `npm run build` puts what it makes: what stays apart is found from there as it is from the server's source. */
export const builtIn = new URL('server/dist/', root)

/**
 * What a file is now. Throws where it cannot be read.
 * @typedef {{ name: string, bytes: number, changedMs: number, digest: string }} Read
 * @param {string} name from the project's root
 * @returns {Read}
 */
export function read(name) {
  const { size, mtimeMs } = statSync(new URL(name, root))
  return { name, bytes: size, changedMs: mtimeMs, digest: digestOf(name) }
}

/**
 * The built form of a program; null where there is none, or where a file that went into it says something else now: what is old is never run.
 * @param {string} program its source, from the project's root
 * @returns {URL | null}
 */
export function builtOf(program) {
  try {
    const { programs, sources } = JSON.parse(readFileSync(new URL('built.json', builtIn), 'utf8'))
    return programs[program] !== undefined && sources.every(saysTheSame) ? new URL(programs[program], builtIn) : null
  } catch {
    return null
  }
}

/** A copy of the project has the same text and another time. */
function saysTheSame(/** @type {Read} */ { name, bytes, changedMs, digest }) {
  const { size, mtimeMs } = statSync(new URL(name, root))
  return size === bytes && (mtimeMs === changedMs || digestOf(name) === digest)
}

const digestOf = (/** @type {string} */ name) =>
  createHash('sha256')
    .update(readFileSync(new URL(name, root)))
    .digest('base64url')
