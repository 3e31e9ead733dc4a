import { readFile, writeFile } from 'node:fs/promises'
import { sdkTypes } from './sdk-types.ts'

// What `npm run contract` ends with, and `npm run sdk:types` does alone: writes the types of the SDK from the contract.
const contract = await readFile(new URL('../contract/openapi.json', import.meta.url), 'utf8')
await writeFile(new URL('../sdk/src/generated/contract.ts', import.meta.url), await sdkTypes(contract))
