import type { Answer } from '../../api/client.ts'

export type Overview = Answer<'GET /account/overview'>
