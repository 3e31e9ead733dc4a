import type { SourceFile } from './source-files.ts'

/**
 * Re-exports outside of a feature's doors, and re-exports of what another folder owns. dependency-cruiser, reading TypeScript through swc,
 * does not see `export type … from`: without this check a private file could leave its folder unseen.
 */
export function strayReExports(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^(server|simulator)\/src\/.*\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:type )?(?:\*|\{[^}]*\})[^'\n]* from '([^']+)'/gm)]
        .filter(([, from = '']) => !isDoor(path) || !/^\.\/[^/]+$/.test(from))
        .map(([, from]) => `${path}: re-exports ${from}; only a door (public.ts, routes.ts, lanes.ts) does, and only from its own folder`),
    )
}

const isDoor = (path: string) =>
  /^server\/src\/features\/[^/]+\/(public|routes|lanes)\.ts$/.test(path) || path === 'simulator/src/simulator.ts'
