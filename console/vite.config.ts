import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where `npm run dev -w console` finds a gateway. */
const gateway = process.env.POMBO_URL ?? 'http://localhost:8080'

export default defineConfig({
  plugins: [react(), compressed()],
  build: {
    manifest: true,
    target: 'es2023',
    // These know light-dark(). For older ones the build would write it in another way, which needs the color scheme to be in our own styles.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 700,
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/console/api': gateway, '/files': gateway } },
})

/** Writes .gz and .br beside each asset, which the gateway then serves as they are. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir }) {
      const assets = join(dir ?? '', 'assets')
      const names = (await readdir(assets)).filter((name) => /\.(js|css|svg|json)$/.test(name))
      for (const name of names) {
        const bytes = await readFile(join(assets, name))
        await writeFile(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
        await writeFile(join(assets, `${name}.br`), brotliCompressSync(bytes))
      }
    },
  }
}
