import { fileURLToPath } from 'node:url'
import { writeClientTypes } from './client-types.ts'

// What `npm run contract` ends with, and `npm run client-types` does alone.
await writeClientTypes(fileURLToPath(new URL('..', import.meta.url)))
