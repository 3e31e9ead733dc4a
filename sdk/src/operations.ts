import type { Operations } from './generated/contract.ts'

export type { Operations, Reaction as ReactionResult, SendMessageRequest } from './generated/contract.ts'

export type Media = Operations['POST /media']['answer']
export type Template = Operations['GET /templates']['answer']['data'][number]
export type MarketingOptOut = Operations['GET /marketing-opt-outs']['answer']['data'][number]
export type Usage = Operations['GET /usage']['answer']

export type OperationName = keyof Operations
export type Answer<Name extends OperationName> = Operations[Name]['answer']
export type Body<Name extends OperationName> = Operations[Name] extends { body?: infer Body } ? Exclude<Body, undefined> : never
export type Query<Name extends OperationName> = Operations[Name] extends { query?: infer Query } ? Exclude<Query, undefined> : never
/** What a call of the operation needs: `path`, `query` and `body`, as far as it has them. */
export type Input<Name extends OperationName> = Omit<Operations[Name], 'answer'>
