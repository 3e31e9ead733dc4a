export type { ResponseInfo } from './answer.ts'
export type { CallOptions, PomboOptions } from './call.ts'
export { type ErrorCode, type ErrorDetail, PomboError } from './error.ts'
export { type PomboEvent, parseEvent, unwrapEvent } from './event.ts'
export type {
  Channel,
  CreateWebhook,
  EventType,
  Message,
  MessageStatus,
  MessageType,
  Webhook,
  WebhookDelivery,
} from './generated/contract.ts'
export type { Listing, Page } from './listing.ts'
export type {
  Answer,
  Body,
  Input,
  MarketingOptOut,
  Media,
  OperationName,
  Operations,
  Query,
  ReactionResult,
  SendMessageRequest,
  Template,
  Usage,
} from './operations.ts'
export { createPombo, type Pombo, type SendAnswer, type SendOptions, type UploadOptions } from './pombo.ts'
export { type RawBody, SignatureError, type SignatureProblem, type VerifyOptions, verifySignature } from './verify-signature.ts'
