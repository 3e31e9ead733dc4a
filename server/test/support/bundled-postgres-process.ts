import { systemClock } from '../../src/base/clock.ts'
import { startBundledPostgres } from '../../src/platform/database/bundled/start.ts'

/**
 * A gateway that is nothing but its database, for tests that kill it: `<node> <this file> <data directory>`. Tells what happens
 * as one JSON object a line; stops the server cleanly when its standard input ends.
 */
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const [, , dataDir = ''] = process.argv
try {
  const server = await startBundledPostgres({ clock: systemClock(), observe: tell }, { dataDir, settings: { fsync: 'off' } })
  tell({ kind: 'ready', adopted: server.adopted, dataDirectory: server.dataDirectory })
  process.stdin.once('end', () => void server.stop().then(() => tell({ kind: 'stopped' })))
  process.stdin.resume()
} catch (error) {
  tell({ kind: 'refused', code: error instanceof Error && 'code' in error ? error.code : null, message: String(error) })
  process.exitCode = 1
}
