import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config.ts'
import { createGraph, type Graph, memberOf, parsed } from '../platform/upstream/graph.ts'
import { CannotRun } from './cannot-run.ts'

/** Management calls are few, and their caller waits at a terminal. */
const options = { concurrentMax: 2, deadlineMs: 15_000 }

/** The Graph API that the gateway talks to: Meta's, or the simulated one beside a running gateway in the sandbox. */
export async function openUpstream(config: Config, clock: Clock): Promise<Graph> {
  const baseUrl = config.upstream === 'meta' ? config.metaGraphUrl : await sandboxAddress(config.dataDir)
  return createGraph({ clock, baseUrl, version: config.metaGraphVersion, ...options })
}

async function sandboxAddress(dataDir: string): Promise<string> {
  // Written by the gateway when its sandbox is up.
  const text = await readFile(join(dataDir, 'sandbox.json'), 'utf8').catch(() => null)
  const graphUrl = text === null ? null : memberOf(parsed(text), 'graphUrl')
  if (typeof graphUrl === 'string') return graphUrl
  throw new CannotRun('The sandbox network runs only beside a gateway. Start one with npm start, in the same DATA_DIR, and try again.')
}
