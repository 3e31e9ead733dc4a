import type { SourceFile } from './source-files.ts'

/** Rules that no code can cite, each with its reason. */
const notInSource: Readonly<Record<string, string>> = {}
/** Rules that no test of this repository cites yet, each with its reason. */
const notInTests: Readonly<Record<string, string>> = {}

const citation = /\brule: ([a-z-]+ \d+(?:(?:,| to| and) (?:[a-z-]+ )?\d+)*)/g
const isTest = (path: string) => path.endsWith('.test.ts') || path.startsWith('server/test/')

/** Compares the citations `rule: send 3` with `docs/rules.md`: each cited rule exists, each rule is cited in source and in tests. */
export function citationProblems(rulesText: string, files: readonly SourceFile[]): string[] {
  const rules = rulesIn(rulesText)
  const cited = files.filter(({ path }) => /^(server|simulator)\/.*\.(ts|sql)$/.test(path)).flatMap(citationsOf)
  const inTests = new Set(cited.filter(({ path }) => isTest(path)).map(({ rule }) => rule))
  const inSource = new Set(cited.filter(({ path }) => !isTest(path)).map(({ rule }) => rule))
  return [
    ...cited.filter(({ rule }) => !rules.has(rule)).map(({ path, rule }) => `${path}: rule: ${rule} is not in docs/rules.md`),
    ...missing(rules, inSource, notInSource, 'source'),
    ...missing(rules, inTests, notInTests, 'a test'),
  ]
}

/** `## send` opens an area, and each numbered line below it is a rule: `send 1`. */
export function rulesIn(text: string): Set<string> {
  const rules = new Set<string>()
  let area = ''
  for (const line of text.split('\n')) {
    area = /^## ([a-z-]+)$/.exec(line)?.[1] ?? area
    const number = /^(\d+)\. /.exec(line)?.[1]
    if (number !== undefined) rules.add(`${area} ${number}`)
  }
  return rules
}

/** Understands `send 1`, `send 1, send 2`, `send 1, 2`, `send 1 and 3` and `send 1 to 6`. */
export function citationsOf({ path, text }: SourceFile): { path: string; rule: string }[] {
  return [...text.matchAll(citation)].flatMap(([, list = '']) => {
    const rules: string[] = []
    let area = ''
    let last = 0
    for (const [, separator, name, digits] of list.matchAll(/(,|to|and|^) ?(?:([a-z-]+) )?(\d+)/g)) {
      area = name ?? area
      const number = Number(digits)
      for (let n = separator === 'to' ? last + 1 : number; n <= number; n += 1) rules.push(`${area} ${n}`)
      last = number
    }
    return rules.map((rule) => ({ path, rule }))
  })
}

function missing(
  rules: ReadonlySet<string>,
  cited: ReadonlySet<string>,
  excused: Readonly<Record<string, string>>,
  where: string,
): string[] {
  return [
    ...[...rules]
      .filter((rule) => !cited.has(rule) && excused[rule] === undefined)
      .map((rule) => `docs/rules.md: ${rule} is not cited in ${where}`),
    ...Object.keys(excused)
      .filter((rule) => cited.has(rule) || !rules.has(rule))
      .map((rule) => `tools/spec-citations.ts: ${rule} no longer needs its exception for ${where}`),
  ]
}
