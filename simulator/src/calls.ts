/** The calls of the platform that are no sends. A fault rule names one of them as `call`. */
export const graphCalls = [
  'media-upload',
  'media-look-up',
  'media-download',
  'media-delete',
  'number-read',
  'numbers-list',
  'number-register',
  'number-deregister',
  'waba-read',
  'subscribed-apps',
  'template-read',
  'templates-list',
  'template-create',
  'template-delete',
  'sample-session',
  'sample-upload',
] as const

/** One of them. */
export type GraphCall = (typeof graphCalls)[number]

/** A call that is no send, as it was answered. `status` is null when there was no HTTP answer; `id` is that of the node in the path. */
export type CallRecord = {
  sequence: number
  at: string
  call: GraphCall
  method: string
  path: string
  id: string
  status: number | null
  fault: string | null
}
