// Plain JavaScript, so that an old Node reads it too: it would stop at the first TypeScript file with a message that helps nobody.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Pombo runs on Node 24, which "npm ci" puts into this folder, but this is Node ${process.versions.node}: run "npm ci" again, without --ignore-scripts.`,
  )
  process.exit(1)
}
