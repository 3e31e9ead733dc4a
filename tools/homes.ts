import type { SourceFile } from './source-files.ts'

type Home = {
  /** What must stay at home. */
  pattern: RegExp
  home: RegExp
  because: string
  /** Files outside that may have it, each with its reason. */
  guests: Readonly<Record<string, string>>
}

const homes: readonly Home[] = [
  {
    pattern: /\b(statement|queryBuilder)(<[^>]*>)?\(/,
    home: /^server\/src\/(features\/[^/]+|platform\/(http|lanes)|cli)\/([a-z-]+-)?store\.ts$|^server\/src\/platform\/database\//,
    because: 'SQL stands in a store.ts',
    guests: {
      'server/src/features/messages/parked-status.ts': 'the store of one table, named after what it keeps',
      'server/src/features/messages/send-queue.ts': 'the store of the send queue, named after what it keeps',
    },
  },
  {
    pattern: /\bnew Date\(\)|\bDate\.now\(|\bperformance\.now\(|\bprocess\.hrtime\b/,
    home: /^server\/src\/base\//,
    because: 'the time comes from the Clock that is passed in',
    guests: {},
  },
  {
    pattern: /\bMath\.random\(|\brandomBytes\(|\brandomUUID\(|\brandomInt\(/,
    home: /^server\/src\/base\//,
    because: 'randomness comes from base/id.ts',
    guests: {
      'server/src/cli/receive-events.ts': 'a path that nobody on the same machine can guess',
      'server/src/demo.ts': 'the token of a simulated number',
      'server/src/features/api-keys/secret.ts': 'a secret, which no seed may repeat',
      'server/src/features/members/token.ts': 'the secret of a link, which no seed may repeat',
      'server/src/features/media/store-file.ts': 'the secret part of a permanent url, which no seed may repeat',
      'server/src/features/messages/simulate.ts': 'an id in the form of upstream, not one of ours',
      'server/src/features/webhooks/sign.ts': 'a secret, which no seed may repeat',
      'server/src/platform/database/bundled/initialise.ts': 'a directory name that no other start uses',
      'server/src/platform/database/bundled/lock-file.ts': 'a file name that no other start uses',
      'server/src/platform/http/pages.ts': 'a nonce, which nobody may guess',
      'server/src/sandbox.ts': 'secrets of the simulated network',
      'server/src/secret-key.ts': 'a secret, which no seed may repeat',
    },
  },
]

/** SQL, the clock and randomness outside their homes; also guests that no longer need their invitation. */
export function strayLines(files: readonly SourceFile[]): string[] {
  const product = files.filter(({ path }) => path.startsWith('server/src/') && path.endsWith('.ts') && !path.endsWith('.test.ts'))
  return homes.flatMap((home) => [...strays(home, product), ...staleGuests(home, product)])
}

function strays({ pattern, home, because, guests }: Home, files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !home.test(path) && guests[path] === undefined)
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}: ${because}: ${line.trim()}`] : [])),
    )
}

function staleGuests({ pattern, guests }: Home, files: readonly SourceFile[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return Object.keys(guests)
    .filter((path) => !pattern.test(texts.get(path) ?? ''))
    .map((path) => `tools/homes.ts: ${path} no longer needs its exception`)
}
