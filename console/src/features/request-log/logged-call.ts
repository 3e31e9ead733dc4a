import type { Answer } from '../../api/client.ts'

export type LoggedCall = Answer<'GET /account/request-log'>['data'][number]
