import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'

// `node contract/generate-clients.ts DIRECTORY` writes the clients there that public generators make of the contract: `types.ts` by
// openapi-typescript and `client/` by @hey-api/openapi-ts. The test in `server/test/whole/generated-clients.test.ts` uses both.
const [directory = '.'] = process.argv.slice(2)
const contract = new URL('openapi.json', import.meta.url)

await writeFile(join(directory, 'types.ts'), astToString(await openapiTS(contract)))
await createClient({
  input: fileURLToPath(contract),
  output: { path: join(directory, 'client'), module: { extension: '.js' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
})
