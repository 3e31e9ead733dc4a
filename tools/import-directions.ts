import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { importRules } from './import-rules.ts'

/** Fewer modules than this means that the tool could not read TypeScript: it then answers "no violations" to everything. */
const modulesMin = 150
const looked = ['server/src', 'server/test', 'simulator/src', 'simulator/test', 'tools', 'bench']

// `node tools/import-directions.ts [root]`: prints what breaks the directions in `import-rules.ts`.
const [, , root = process.cwd()] = process.argv
const problems = await importProblems(root)
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

async function importProblems(root: string): Promise<string[]> {
  process.chdir(root)
  const { output } = await cruise(
    looked,
    {
      ruleSet: { forbidden: importRules },
      validate: true,
      // Type imports count: a ring of types is a ring to the reader.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], extensions: ['.ts', '.js'] },
  )
  const { summary } = output as ICruiseResult
  const broken = summary.violations.map(({ from, to, rule }) => `${from} → ${to}: ${rule.name}`)
  if (summary.totalCruised < modulesMin) broken.push(`Only ${summary.totalCruised} modules were read, which cannot be all: is @swc/core installed?`)
  return broken
}
