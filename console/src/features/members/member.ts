import type { Answer } from '../../api/client.ts'

export type Member = Answer<'GET /account/members'>['data'][number]
