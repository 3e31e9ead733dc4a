import type { Town } from './town.ts'

/** One actor who does their worst to one resource, within what they are allowed. */
export type Scenario = {
  /** Who, and how. */
  name: string
  resource: 'CPU' | 'pool' | 'memory' | 'lanes' | 'disk' | 'locks' | 'mail' | 'sign-in'
  /** Begins it, and answers what ends it and takes away what it left behind. */
  begin(town: Town): Promise<() => unknown>
}
