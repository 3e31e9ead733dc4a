import { cpus, loadavg, release, totalmem } from 'node:os'

/** The machine that a result was measured on, as it was before the run. */
export type Machine = {
  cores: number
  cpu: string
  memoryGb: number
  system: string
  node: string
  postgres: string
  load: readonly number[]
}

/** `postgres`: the server's own words. */
export function describeMachine(postgres: string): Machine {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${release()}`,
    node: process.version,
    postgres,
    load: loadavg().map((each) => Math.round(each * 100) / 100),
  }
}

export function machineText({ cores, cpu, memoryGb, system, node, postgres, load }: Machine): string {
  return `${cores} cores (${cpu}), ${memoryGb} GB, ${system}, Node ${node}, PostgreSQL ${postgres}, load before the run ${load.join(' ')}`
}
