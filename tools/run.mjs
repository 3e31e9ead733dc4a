import { builtOf } from './built.mjs'

// Runs a program by the name of its source: `node tools/run.mjs server/src/main.ts`. In the form that `npm run build` made, as long as that is what the
// source says, because it starts in two thirds of the time; else from its source. Plain JavaScript, so that an old Node says what is wrong:
// it would stop at the first TypeScript file with a message that helps nobody.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Pombo runs on Node 24, which "npm ci" puts into this folder, but this is Node ${process.versions.node}. Run it through npm ("npm start", "npm run …"); if that says the same, run "npm ci" again, without --ignore-scripts.`,
  )
  process.exit(1)
}
const [, , program = ''] = process.argv
const source = new URL(`../${program}`, import.meta.url)
// The program finds its arguments where it finds them without this.
process.argv.splice(1, 2, source.pathname)
await import((builtOf(program) ?? source).href)
