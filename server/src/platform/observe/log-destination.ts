import { pino } from 'pino'

/** Takes lines of the log; a full disk or a reader that went away never ends the process. */
export type LogDestination = {
  write(line: string): void
  /** Writes out what is held in memory, for a second at most, and gives up the rest. Call it last, before the process ends. */
  close(): Promise<void>
}

/** What is held while the destination does not take it; later lines are dropped. */
const heldBytesMax = 8 * 1024 * 1024
const closeMsMax = 1_000

/** A file, which is made for its owner alone when it is missing, or standard output (null). Written without waiting for the disk; what failed is tried again. */
export function openLogDestination(file: string | null): LogDestination {
  const destination = pino.destination({
    ...(file === null ? { fd: 1 } : { dest: file, mkdir: true, mode: 0o600 }),
    sync: false,
    minLength: 4096,
    periodicFlush: 100,
    maxLength: heldBytesMax,
  })
  // Without a listener a full disk would end the process. The bytes stay with the destination, which tries again every 100 ms.
  destination.on('error', () => {})
  return {
    write: (line) => void destination.write(line),
    close: () =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          // pino calls this when the process ends; on a full disk it would try for ever.
          destination.flushSync = () => {}
          resolve()
        }
        // Not by a Clock: the last thing a process does, when its clock's timers may not hold it any more.
        const timer = setTimeout(end, closeMsMax)
        destination.flush(end)
      }),
  }
}
