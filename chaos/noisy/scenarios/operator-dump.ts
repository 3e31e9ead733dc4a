import { dumpBesidePartitions } from '../../nightly-dump.ts'
import type { Scenario } from '../scenario.ts'

export const operatorDump: Scenario = {
  name: 'a dump reads every table while partitions are made',
  resource: 'locks',
  async begin({ connection, rows }) {
    return dumpBesidePartitions({ connection, rows })
  },
}
