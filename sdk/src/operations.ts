import type { Operations as Generated, SendMessageRequest as GeneratedSend, Message } from './generated/contract.ts'
import type { StopgapOperations, StopgapReaction, StopgapSend } from './stopgap.ts'

// The contract as the client uses it. What the generated types have counts; only what they lack comes from stopgap.ts. Once that file is empty,
// `Operations` and `SendMessageRequest` are the generated ones, `ReactionResult` is the first kind of answer here, and the rest stays.

/** What is sent: one kind of message, told apart by `type`. */
export type SendMessageRequest = GeneratedSend | Exclude<StopgapSend, { type: GeneratedSend['type'] }>

type GeneratedReaction = Exclude<Generated['POST /messages']['answer'], Message>

/** What became of a reaction, which is no message of its own. */
export type ReactionResult = [GeneratedReaction] extends [never] ? StopgapReaction : GeneratedReaction

/** What each operation takes, and what it answers when it succeeds. */
export type Operations = Omit<Generated, 'POST /messages'> &
  Omit<StopgapOperations, keyof Generated> & { 'POST /messages': { body: SendMessageRequest; answer: Message | ReactionResult } }

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
