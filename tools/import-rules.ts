import type { IRegularForbiddenRuleType } from 'dependency-cruiser'

/** The features in the order in which they may import each other: a later one may use the `public.ts` of an earlier one. */
export const features = [
  'accounts',
  'members',
  'api-keys',
  'channels',
  'contacts',
  'opt-outs',
  'templates',
  'media',
  'usage',
  'webhooks',
  'messages',
  'conversations',
  'notices',
  'alerts',
] as const

const source = '^server/src/'
const feature = `${source}features/`
const platform = `${source}platform/`
const base = `${source}base/`
const limits = `${source}limits\\.ts$`
/** Tests, and what only tests use: they may look behind doors and use more packages. */
export const tests = '(\\.test\\.ts$|/test/|/test-server\\.ts$|/strange-receivers\\.ts$|/read-corpus\\.ts$|/local-receiver\\.ts$)'
/** The noun of each feature: its type, its states, its moves. */
const nouns = `${feature}[^/]+/(account|member|key|channel|contact|opt-out|template|media|usage|event|webhook|message|move|file-fetch|test-number|conversation|notice)\\.ts$`

type From = IRegularForbiddenRuleType['from']
type To = IRegularForbiddenRuleType['to']

/** Who may import whom. Each sentence is shown when it is broken. */
export const importRules: IRegularForbiddenRuleType[] = [
  rule('No import rings, type imports included.', {}, { circular: true }),
  rule('Every import leads to something that exists.', {}, { couldNotResolve: true }),
  rule('base/ imports only node: and itself.', code(base), { pathNot: base, dependencyTypesNot: ['core'] }),
  rule('platform/ knows neither features nor wiring: it imports base/, limits.ts and itself.', code(platform), {
    path: source,
    pathNot: [platform, base, limits],
  }),
  rule('limits.ts imports nothing.', { path: limits }, {}),
  rule('A feature imports features, platform/, base/ and limits.ts, never the wiring.', code(feature), {
    path: source,
    pathNot: [feature, platform, base, limits],
  }),
  ...features.slice(0, -1).map((name, i) =>
    rule(`${name} may import only the features before it.`, code(`${feature}${name}/`), {
      path: `${feature}(${features.slice(i + 1).join('|')})/`,
    }),
  ),
  rule('Every feature stands in the ordered list of tools/import-rules.ts.', {}, { path: `${feature}(?!(${features.join('|')})/)` }),
  rule('Another feature is used through its public.ts.', code(`${feature}([^/]+)/`), {
    path: feature,
    pathNot: [`${feature}$1/`, `${feature}[^/]+/public\\.ts$`],
  }),
  rule('A feature does not go out through its own public.ts.', code(`${feature}([^/]+)/`), { path: `${feature}$1/public\\.ts$` }),
  rule('What stands outside uses the doors of a feature: public.ts, routes.ts, lanes.ts.', code(source, [feature]), {
    path: feature,
    pathNot: '/(public|routes|lanes)\\.ts$',
  }),
  rule('routes.ts of a feature is for routes.ts and app.ts.', code(source, [`${source}(routes|app)\\.ts$`]), {
    path: `${feature}[^/]+/routes\\.ts$`,
  }),
  rule('lanes.ts of a feature is for lanes.ts and app.ts.', code(source, [`${source}(lanes|app)\\.ts$`]), {
    path: `${feature}[^/]+/lanes\\.ts$`,
  }),
  rule(
    'rules.ts and the nouns are pure: they import base/, limits.ts and the nouns of their folder.',
    code(`${feature}[^/]+/rules\\.ts$|${nouns}`),
    {
      pathNot: [base, limits, nouns],
    },
  ),
  rule(
    'wire.ts is pure: it imports base/, limits.ts, the nouns of its folder and the schema library.',
    code(`${feature}[^/]+/wire\\.ts$`),
    {
      pathNot: [base, limits, nouns, 'node_modules/typebox/'],
    },
  ),
  rule('A store holds SQL and row mapping: no operations, no network, no other feature.', code(`${feature}[^/]+/[^/]*store\\.ts$`), {
    path: `${source}|^node:`,
    pathNot: [base, limits, nouns, `${platform}(database|lanes)/`, `${feature}[^/]+/[^/]*store\\.ts$`],
  }),
  rule('Settings are read by main.ts, app.ts and the command line.', code(source, [`${source}(main|app)\\.ts$`, `${source}cli/`]), {
    path: `${source}config\\.ts$`,
  }),
  rule('The simulator shares no code with the server.', { path: '^simulator/' }, { path: '^(server|sdk|tools|bench|chaos)/' }),
  rule('The server shares no code with the simulator; only its tests may start one.', code('^server/'), { path: '^simulator/' }),
  rule('The product imports no test code, no tools and not the SDK.', code('^(server|simulator)/src/'), {
    path: `${tests}|^(sdk|tools|bench|chaos)/`,
  }),
  rule(
    'The console shares no code with the server: only its documents and its HTTP interface.',
    { path: '^console/' },
    {
      path: '^(server|simulator|sdk|bench|chaos)/',
    },
  ),
  rule(
    'A feature of the console imports no other feature.',
    { path: '^console/src/features/([^/]+)/' },
    {
      path: '^console/src/features/',
      pathNot: '^console/src/features/$1/',
    },
  ),
  rule(
    'A feature of the console takes from app/ only its language and its mode.',
    { path: '^console/src/features/' },
    {
      path: '^console/src/app/',
      pathNot: '^console/src/app/(language|mode)\\.ts$',
    },
  ),
  rule('ui/ of the console knows no feature and no shell.', { path: '^console/src/ui/' }, { path: '^console/src/(features|app)/' }),
  rule(
    'api/ of the console shows nothing: it imports only itself.',
    { path: '^console/src/api/' },
    { path: '^console/src/(features|app|ui)/' },
  ),
  rule('The SDK imports only itself: no package, nothing of Node, nothing of the server.', { path: '^sdk/src/' }, { pathNot: '^sdk/src/' }),
  rule(
    'The tests of the SDK know nothing of the server; those that need a gateway are tests of the server.',
    { path: '^sdk/' },
    {
      path: '^(server|simulator|bench|chaos)/',
    },
  ),
]

function rule(name: string, from: From, to: To): IRegularForbiddenRuleType {
  return { name, severity: 'error', from, to } as IRegularForbiddenRuleType
}

/** Product code under a path; tests are free to import what they test. */
function code(path: string, except: readonly string[] = []): From {
  return { path, pathNot: [tests, ...except] }
}
