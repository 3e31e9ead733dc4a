import { fileURLToPath } from 'node:url'
import { writeSdkTypes } from './sdk-types.ts'

// What `npm run contract` ends with, and `npm run sdk:types` does alone.
await writeSdkTypes(fileURLToPath(new URL('..', import.meta.url)))
