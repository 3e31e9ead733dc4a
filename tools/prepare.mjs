// What npm runs after an installation: builds the console, and the programs in the form that starts fast. Plain JavaScript, because it runs on whatever Node npm has.
// What only builds may be left out (`npm ci --omit=dev`): then a console that was built before stays, and a start without one says so.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// Vite itself may be there in any case: others bring it.
const isThere = (name) => existsSync(new URL(`../node_modules/${name}/package.json`, import.meta.url))

function build(...workspace) {
  const { status } = spawnSync('npm', ['run', 'build', '--silent', ...workspace], { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}

if (isThere('rolldown')) build()
if (isThere('@vitejs/plugin-react')) build('-w', 'console')
else {
  const built = existsSync(new URL('../console/dist/index.html', import.meta.url))
  const words = built ? 'the console that is there stays' : 'there is no console: copy console/dist from where "npm ci" was run in full'
  console.log(`The console is not built without the development dependencies: ${words}.`)
}
