import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../server/src/app.ts'
import { systemClock } from '../server/src/base/clock.ts'
import { readConfig } from '../server/src/config.ts'
import { startBundledPostgres } from '../server/src/platform/database/bundled/start.ts'
import { contractAltUrl, contractText, contractUrl } from './contract-text.ts'

// What `npm run contract` runs: asks a gateway on an empty database of its own for its document, and writes
// `contract/openapi.json`, and beside it the document of the console's interface.
const clock = systemClock()
const observe = () => {}
const dataDir = await mkdtemp(join(tmpdir(), 'pombo-contract-'))
const postgres = await startBundledPostgres({ clock, observe }, { dataDir, settings: { fsync: 'off' } })
try {
  const secretKey = randomBytes(32).toString('base64')
  const config = readConfig({
    PORT: '0',
    PUBLIC_URL: contractUrl,
    ALT_PUBLIC_URL: contractAltUrl,
    ROLES: 'api,console',
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
  })
  const network = { connection: postgres.connection, graphUrl: config.metaGraphUrl, appSecrets: [], verifyToken: null }
  const gateway = await startGateway({ ...network, config, clock, observe, alone: true })
  for (const [served, kept] of [
    ['/openapi.json', 'openapi.json'],
    ['/console/api/openapi.json', 'console.json'],
  ] as const) {
    const answer = await fetch(`${gateway.url}${served}`)
    await writeFile(new URL(`../contract/${kept}`, import.meta.url), contractText(await answer.text()))
  }
  await gateway.stop()
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
