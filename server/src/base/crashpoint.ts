/** The named moments at which a test can have this process killed, as `kill -9` would. */
export const crashpoints = [
  'after_accept', // sends are committed, not yet answered
  'after_intent', // intents are committed, nothing is posted
  'after_bytes', // the whole request was handed to the socket
  'after_answer', // upstream has answered, nothing is recorded
  'before_outcome_commit', // the outcome is written, not committed
  'after_notice_kept', // a notice is committed, not yet answered
  'before_notice_commit', // a notice is worked through, not committed
  'after_delivery', // a receiver has answered, nothing is recorded
  'in_shutdown', // the lanes have stopped, the shards are not given back
] as const

export type Crashpoint = (typeof crashpoints)[number]

// The one variable of its kind: handing it down through every layer would cost each reader of them more than this does.
let armed: { name: string; left: number } | null = null

/** Arms one point, `name` or `name:n` for its n-th passing. Called once, by the program's entry, and only for tests. */
export function armCrashpoint(spec: string): void {
  const [name = '', count = '1'] = spec.split(':')
  armed = { name, left: Number(count) }
}

/** Ends the process here, without a word, if this point is armed. */
export function crashpoint(name: Crashpoint): void {
  if (armed === null || armed.name !== name) return
  armed.left -= 1
  if (armed.left <= 0) process.kill(process.pid, 'SIGKILL')
}
