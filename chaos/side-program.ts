import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { projectRoot } from '../server/test/support/processes/program.ts'

/** A program of the harness that lives as long as the run. */
export type SideProgram = {
  /** The address that it printed as `"url":"…"` when it was ready. */
  url: string
  /** Asks it to end, and waits at most `msMax`; then it is killed. */
  end(msMax: number): Promise<void>
}

const readyMsMax = 20_000

/** Starts one of our programs; `printsUrl`: waits until it told its address. What it says on standard error goes to `logFile`. */
export async function startSideProgram(args: readonly string[], options: { logFile: string; printsUrl: boolean }): Promise<SideProgram> {
  const log = openSync(options.logFile, 'a')
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '' },
    detached: true,
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  const exited = once(child, 'exit')
  const url = options.printsUrl ? await urlOf(child, args) : ''
  child.stdout?.resume()
  return {
    url,
    async end(msMax) {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), msMax)
      await exited
      clearTimeout(timer)
    },
  }
}

function urlOf(child: ChildProcess, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${args[0]} has not said where it listens.`))
    const timer = setTimeout(fail, readyMsMax)
    let printed = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk
      const url = /"url":"([^"]+)"/.exec(printed)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
    child.once('exit', fail)
  })
}
