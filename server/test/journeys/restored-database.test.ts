import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { apiOf } from '../support/processes/api.ts'
import { letPeopleWrite, makeBusiness, textTo } from '../support/processes/business.ts'
import { newDataDir, removeDataDirs } from '../support/processes/data-dir.ts'
import { environment, freePort, startGatewayProcess, stopMsMax } from '../support/processes/gateway-process.ts'
import { endPrograms } from '../support/processes/program.ts'
import { bundledConnection, rowsOf } from '../support/processes/rows.ts'
import { startSimulatorProcess } from '../support/processes/simulator-process.ts'
import { until } from '../support/processes/until.ts'
import { runPomboHere } from '../support/run-pombo.ts'

const sends = 40
const waitMsMax = 60_000

/** A server refuses files that belong to another user. */
const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])

afterAll(async () => {
  await endPrograms()
  await removeDataDirs()
})

// rule: queue 7
test('a database that was restored sends nothing again of what left after the backup, and goes on with what is new', {
  timeout: 240_000,
}, async () => {
  const dataDir = await newDataDir()
  const [database, backup] = [join(dataDir, 'postgres'), join(dirname(dataDir), 'backup')]
  const simulator = await startSimulatorProcess(dirname(dataDir))
  // One a second: most of them still wait when the backup is made.
  const settings = { ...simulator.settings, DATA_DIR: dataDir, PORT: String(await freePort()), SENDS_PER_SECOND: '1' }
  let gateway = await startGatewayProcess(settings)
  const restart = async (meanwhile: () => Promise<unknown>, changed: Record<string, string> = {}) => {
    await gateway.program.end('SIGTERM', stopMsMax)
    await meanwhile()
    gateway = await startGatewayProcess({ ...settings, ...changed })
  }
  const queued = async () => {
    const rows = await rowsOf<{ state: number }>(await bundledConnection(dataDir), 'select state from send_queue order by seq')
    return rows.map((row) => row.state)
  }
  await simulator.command('callback', { url: `${gateway.url}/upstream/notices` })
  const api = apiOf(gateway.url, (await makeBusiness(settings)).key)
  const people = await letPeopleWrite(api, simulator, sends + 1)
  const answers = await Promise.all(people.slice(0, sends).map((to) => api.post('/v1/messages', textTo(to, 'Seu pedido saiu.'))))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))

  await restart(() => copy(database, backup), { SENDS_PER_SECOND: '50' })
  await until('all have left', async () => (await simulator.accepted()) === sends, waitMsMax)
  await restart(async () => {
    await rm(database, { recursive: true })
    await copy(backup, database)
  })

  const waiting = await until(
    'the queue is judged',
    async () => ((await queued()).every((state) => state === 2) ? queued() : null),
    waitMsMax,
  )
  expect(waiting.length).toBeGreaterThan(1)
  const fresh = await api.post('/v1/messages', textTo(people[sends] ?? '', 'Depois.'))
  await until('what is new has left', async () => (await api.get(`/v1/messages/${fresh.body.id}`)).body.status !== 'queued', waitMsMax)
  const acceptances = await simulator.acceptances()
  expect([...acceptances.values()].every((times) => times === 1)).toBe(true)
  expect(acceptances.size).toBe(sends + 1)
  expect(gateway.program.stdout()).toContain('"kind":"database.history_judged"')

  // The same by the operator's word, where nothing outside of the database remembers.
  await gateway.program.end('SIGTERM', stopMsMax)
  await rm(join(dataDir, 'database-mark.json'))
  await rm(database, { recursive: true })
  await copy(backup, database)
  const { code, stdout } = await runPomboHere(['database', 'restored'], environment(settings))
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('is not sent again') })
  gateway = await startGatewayProcess(settings)
  await until('the queue is judged', async () => (await queued()).every((state) => state === 2), waitMsMax)
  expect((await simulator.acceptances()).size).toBe(sends + 1)
})
