/** What the supervisor of the bundled server has to tell. Durations are in milliseconds. */
export type BundledObservation =
  | { kind: 'postgres_initialised'; dataDirectory: string; tookMs: number }
  | { kind: 'postgres_started'; pid: number; tookMs: number }
  | { kind: 'postgres_adopted'; pid: number }
  /** It takes long to become ready: usually it replays its log after a crash. */
  | { kind: 'postgres_recovering'; pid: number; waitedMs: number }
  /** The pid file named a process that is dead or another program. */
  | { kind: 'postgres_stale_pid_file_removed'; pid: number }
  /** It ended while we live; it is being started again. Both null: it was adopted, so nobody told us. */
  | { kind: 'postgres_ended'; code: number | null; signal: string | null }
  | { kind: 'postgres_start_failed'; because: string; retryInMs: number }
  | { kind: 'postgres_stopped'; by: StopSignal | 'itself'; tookMs: number }

/** The rungs of the ladder: fast, immediate, and the one that needs no help from the server. */
export type StopSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL'

/** Where the supervisor's observations go. */
export type Observe = (observation: BundledObservation) => void
