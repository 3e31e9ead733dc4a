import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** Not the package's own arguments: those switch off what a real browser holds a page to. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Unpacks Chromium into a folder of its own and answers where its program is. Called once for a run. */
export async function unpackChromium(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  // It unpacks into the folder for temporary files, which is everybody else's too: ours only while it does.
  const { TMPDIR: before } = process.env
  process.env.TMPDIR = folder
  try {
    return await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

export const chromiumFolder = (root: string): string => join(root, 'node_modules', '.cache', 'chromium')

export function launch(executablePath: string): Promise<Browser> {
  return playwright.launch({ executablePath, args, headless: true })
}
