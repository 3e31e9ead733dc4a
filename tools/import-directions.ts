import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { folderRings } from './folder-rings.ts'
import { importRules, tests } from './import-rules.ts'

/** Fewer modules than this means that the tool could not read TypeScript: it then answers "no violations" to everything. */
const modulesMin = 250
const looked = [
  'server/src',
  'server/test',
  'simulator/src',
  'simulator/test',
  'sdk/src',
  'sdk/test',
  'console/src',
  'console/e2e',
  'tools',
  'bench',
  'chaos',
]
/** Where folders must not go round. The files directly in `server/src` wire everything, and `limits.ts` there is for everyone. */
const ringless = /^(server\/src\/(features|platform|base|cli)|simulator\/src)\//

// `node tools/import-directions.ts [root]`: prints what breaks the directions in `import-rules.ts`.
const [, , root = process.cwd()] = process.argv
const problems = await importProblems(root)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

async function importProblems(root: string): Promise<string[]> {
  // Without `baseDir` its paths would be relative to where it was started.
  const { output } = await cruise(
    looked.filter((folder) => existsSync(join(root, folder))),
    {
      baseDir: root,
      ruleSet: { forbidden: importRules },
      validate: true,
      // Type imports count: a ring of types is a ring to the reader.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], extensions: ['.ts', '.tsx', '.js'] },
  )
  const { summary, modules } = output as ICruiseResult
  const broken = summary.violations.map(({ from, to, rule }) => `${from} → ${to}: ${rule.name}`)
  const imports = modules.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })))
  const product = imports.filter((each) => [each.from, each.to].every((path) => ringless.test(path) && !new RegExp(tests).test(path)))
  broken.push(...folderRings(product).map((ring) => `${ring}: No rings of folders.`))
  const ours = modules.filter(({ source }) => looked.some((each) => source.startsWith(`${each}/`))).length
  if (ours < modulesMin) broken.push(`Only ${ours} of our files were read, which cannot be all: is @swc/core installed?`)
  return broken
}
