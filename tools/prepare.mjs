// What npm runs after an installation: builds the console, and the programs in the form that starts fast. Plain JavaScript, because it runs on whatever Node npm has.
// What only builds may be left out (`npm ci --omit=dev`): then a console that was built before stays, and a start without one says so.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const vite = new URL('../node_modules/vite/package.json', import.meta.url)
if (!existsSync(vite)) {
  const built = existsSync(new URL('../console/dist/index.html', import.meta.url))
  const words = built ? 'the console that is there stays' : 'there is no console: copy console/dist from where "npm ci" was run in full'
  console.log(`Nothing is built without the development dependencies: ${words}.`)
} else {
  for (const workspace of [[], ['-w', 'console']]) {
    const { status } = spawnSync('npm', ['run', 'build', '--silent', ...workspace], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    if (status !== 0) process.exit(status ?? 1)
  }
}
