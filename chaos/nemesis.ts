import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { childrenOf, kill } from '../server/test/support/processes/program.ts'
import type { Rows } from './audit.ts'
import type { FaultProxy } from './fault-proxy.ts'
import type { PlannedFault } from './faults.ts'
import type { Gateway } from './gateways.ts'
import type { Fault } from './histories.ts'
import type { Random } from './random.ts'

/** What can be hit. */
export type Targets = {
  gateways: readonly Gateway[]
  /** The pid of PostgreSQL's first process, or null while it does not run. */
  postmaster(): Promise<number | null>
  /** Null where the gateway reaches its database without it. */
  proxy: FaultProxy | null
  random: Random
  /** Past the proxy. */
  rows: Rows
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
/** A point that the load does not pass in this time is left alone. */
const crashMsMax = 6_000
/** Nobody has such a standby: commits wait for it until they are told not to. */
const slowCommits = "synchronous_standby_names = 'absent'"
const slowCommitMs = 800
const slowPulses = 3
const betweenPulsesMs = 300
/** How long commits are waited for that shall be cut. */
const cutMsMax = 2_000

/** Does one fault, starts again whatever it ended, and says what was hit and when. */
export async function strike(targets: Targets, fault: PlannedFault): Promise<Omit<Fault, 'cycle'>> {
  const fromMs = Date.now()
  const hit = 'gateway' in fault ? [fault.gateway] : []
  await effects[fault.name](targets, fault as never)
  return { kind: 'fault', name: fault.name, detail: JSON.stringify(fault), gateways: hit, fromMs, toMs: Date.now() }
}

type Of<Name extends PlannedFault['name']> = Extract<PlannedFault, { name: Name }>
type Effects = { [Name in PlannedFault['name']]: (targets: Targets, fault: Extract<PlannedFault, { name: Name }>) => Promise<void> }

const gatewayOf = ({ gateways }: Targets, place: number): Gateway => {
  const gateway = gateways[place]
  if (gateway === undefined) throw new Error(`bug: there is no gateway ${place}`)
  return gateway
}

const signalPostmaster = async (targets: Targets, signal: NodeJS.Signals) => {
  const pid = await targets.postmaster()
  if (pid !== null) kill(pid, signal)
}

const throughProxy = async ({ proxy }: Targets, act: (proxy: FaultProxy) => void, ms: number) => {
  if (proxy === null) throw new Error('bug: this fault needs the proxy')
  act(proxy)
  await pause(ms)
  proxy.heal()
}

/** The database has this setting while `act` lasts, also on connections that are there already. */
const setting = async ({ rows }: Targets, text: string, act: () => Promise<void>) => {
  await rows(`alter system set ${text}`)
  await rows('select pg_reload_conf()')
  try {
    await act()
  } finally {
    await rows(`alter system reset ${text.split(' ')[0]}`)
    await rows('select pg_reload_conf()')
  }
}

/** Two programs for each core, which do nothing and as much of it as they can. */
const burnAllCores = () =>
  Array.from({ length: 2 * availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))

const effects: Effects = {
  async 'kill-gateway'(targets, { gateway }) {
    await gatewayOf(targets, gateway).end('SIGKILL')
    await gatewayOf(targets, gateway).start()
  },
  async 'stop-gateway'(targets, { gateway }) {
    await gatewayOf(targets, gateway).end('SIGTERM', true)
    await gatewayOf(targets, gateway).start()
  },
  async 'kill-both'(targets, { gateway }) {
    const ending = gatewayOf(targets, gateway).end('SIGKILL')
    await signalPostmaster(targets, 'SIGKILL')
    await ending
    await gatewayOf(targets, gateway).start()
  },
  async crashpoint(targets, fault) {
    const gateway = gatewayOf(targets, fault.gateway)
    await gateway.end('SIGKILL')
    await gateway.start(`${fault.point}:${fault.point === 'in_shutdown' ? 1 : fault.passing}`)
    if (fault.point === 'in_shutdown') {
      await pause(1_000)
      await gateway.end('SIGTERM')
    } else if (!(await gateway.untilEnded(crashMsMax))) await gateway.end('SIGKILL')
    await gateway.start()
  },
  async 'pause-gateway'(targets, { gateway, ms }) {
    const pid = gatewayOf(targets, gateway).pid()
    if (pid === null) return
    kill(pid, 'SIGSTOP')
    await pause(ms)
    kill(pid, 'SIGCONT')
  },
  'kill-postmaster': (targets) => signalPostmaster(targets, 'SIGKILL'),
  // PostgreSQL's word for "immediate": every backend quits at once, and the next start recovers.
  'stop-postmaster-at-once': (targets) => signalPostmaster(targets, 'SIGQUIT'),
  async 'kill-backend'(targets) {
    const postmaster = await targets.postmaster()
    if (postmaster === null) return
    // Any child: a backend most of the time, else a helper of the server. All others are restarted by it.
    kill(targets.random.oneOf(await childrenOf(postmaster)), 'SIGKILL')
  },
  'cut-before-commit': (targets, { commits }: Of<'cut-before-commit'>) =>
    throughProxy(targets, (proxy) => proxy.cutCommits('before', commits), cutMsMax),
  'cut-after-commit': (targets, { commits }: Of<'cut-after-commit'>) =>
    throughProxy(targets, (proxy) => proxy.cutCommits('after', commits), cutMsMax),
  // While every commit waits for a standby that is away: it has been done where nobody sees it yet. What waits meanwhile makes the next one larger.
  async 'cut-during-commit'(targets, { commits }: Of<'cut-during-commit'>) {
    for (let pulse = 0; pulse < slowPulses; pulse += 1) {
      await setting(targets, slowCommits, () => throughProxy(targets, (proxy) => proxy.cutCommits('during', commits), slowCommitMs))
      await pause(betweenPulsesMs)
    }
  },
  // As after a failover, when the connections lead to what is a standby now.
  'read-only': (targets, { ms }: Of<'read-only'>) => setting(targets, 'default_transaction_read_only = on', () => pause(ms)),
  async 'slow-start'(targets, { gateway, ms }: Of<'slow-start'>) {
    await gatewayOf(targets, gateway).end('SIGKILL')
    await pause(ms)
    const burners = burnAllCores()
    try {
      await gatewayOf(targets, gateway).start()
    } finally {
      for (const each of burners) each.kill('SIGKILL')
    }
  },
  'stall-database': (targets, { ms }: Of<'stall-database'>) => throughProxy(targets, (proxy) => proxy.stall(), ms),
  'refuse-database': (targets, { ms }: Of<'refuse-database'>) => throughProxy(targets, (proxy) => proxy.refuse(), ms),
}
