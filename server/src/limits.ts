/** Every number of the contract, in one place, each with the rule of `docs/rules.md` that it belongs to. */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const kilobyte = 1024
const megabyte = 1024 * kilobyte

export const limits = {
  /** rule: requests 1 */
  bodyBytesMax: 256 * 1024,
  /** rule: limits 1 */
  callsPerKeyMax: 600,
  callsPerAccountMax: 1200,
  rateWindowMs: minuteMs,
  /** rule: limits 2 */
  failedAuthenticationsMax: 600,
  /** Of one person in the console, in a minute. */
  consoleCallsMax: 1200,
  /** Calls of one network address, in a minute, of what is open to anybody in the console; and the bytes of their bodies. */
  openCallsMax: 300,
  openBodyBytesMax: 4 * kilobyte,
  /** Attempts to sign in that fail, in a minute: of one e-mail address from one network address or device, from one network address, of one e-mail address from anywhere. */
  signInsPerEmailMax: 5,
  signInsPerAddressMax: 30,
  signInsPerEmailFromAnywhereMax: 50,
  /** Links mailed in an hour: to one e-mail address from one network address or device, from one network address, to one e-mail address from anywhere. */
  linkMailsPerEmailMax: 5,
  linkMailsPerAddressMax: 30,
  linkMailsPerEmailFromAnywhereMax: 15,
  /** Invitations mailed in an hour: of one account to one e-mail address, of one account, to one e-mail address of all accounts. */
  invitationMailsPerEmailMax: 3,
  invitationMailsPerAccountMax: 50,
  invitationMailsPerEmailFromAnywhereMax: 12,
  /** Mails in an hour to one address: of what anybody asks for, of what members do, and of alerts, each. */
  mailsPerRecipientMax: 20,
  passwordCharsMin: 10,
  passwordCharsMax: 128,
  personNameCharsMax: 120,
  /** A session ends so long after it was renewed last; it is renewed by use, not more often than the second says. */
  sessionMs: 30 * dayMs,
  sessionRenewedMs: hourMs,
  /** A one-time link that was mailed; one that the operator hands over. Codes that may be tried with it, where there is a second factor. */
  mailedLinkMs: 15 * minuteMs,
  operatorsLinkMs: dayMs,
  linkTriesMax: 5,
  invitationMs: 7 * dayMs,
  openInvitationsMax: 100,
  /** rule: files 4. How long after it is hidden a file's row and bytes go; how long apart its bytes are tried at most. */
  mediaRemovalMs: minuteMs,
  mediaRemovalDelayMsMax: hourMs,
  /** rule: authentication 7 */
  activeKeysMax: 20,
  /** rule: delivery 7 */
  webhooksMax: 10,
  webhookEventsMax: 30,
  webhookUrlCharsMax: 2048,
  webhookDescriptionCharsMax: 200,
  /** rule: delivery 2 */
  webhookDeadlineMs: 10_000,
  webhookRetryDelaysMs: [minuteMs, 5 * minuteMs, 25 * minuteMs, 2 * hourMs, 10 * hourMs],
  /** An attempt is only ever later than its delay, by at most 2 % and 30 s; kept of an answer; pending while disabled (rule: delivery 6). */
  webhookJitterMax: 0.02,
  webhookJitterMsMax: 30_000,
  webhookResponseBytesKept: 1024,
  webhookPendingMsMax: 72 * hourMs,
  /** rule: delivery 10. The last bounds what one record of the history can hold. */
  webhookRetriesPerMinuteMax: 60,
  webhookAttemptsMax: 100,
  /** rule: signature 4 */
  previousSecretSecondsMax: 86_400,
  /** rule: queue 5, states 6 */
  sendsPerSecond: 50,
  sendsPerSecondOnBusinessApp: 20,
  queueWaitMsMax: 15 * minuteMs,
  /** How long after that an unknown outcome waits for a notice (rule: queue 4). */
  unknownOutcomeMsMax: 2 * minuteMs,
  /** rule: send 3 */
  serviceWindowMs: dayMs,
  /** rule: send 1 */
  idempotencyMs: dayMs,
  idempotencyKeyCharsMax: 255,
  /** Sizes of fields. */
  textCharsMax: 4096,
  captionCharsMax: 1024,
  fileNameCharsMax: 240,
  linkCharsMax: 2048,
  /** Longer than any that upstream gives: a wamid has some 100 characters, a media id some 20. */
  wamidCharsMax: 512,
  upstreamMediaIdCharsMax: 256,
  clientReferenceCharsMax: 512,
  contactNameCharsMax: 120,
  contactCardsMax: 50,
  /** Uploads inside one template or interactive message. */
  filesInsideMax: 30,
  templateComponentsMax: 20,
  templateNameCharsMax: 512,
  /** How long a template's category that upstream told counts without asking again (rule: templates 6). */
  templateCategoryMs: dayMs,
  /** How close a notice of a category and our own reading must be for nobody to know which was later (rule: templates 7). */
  templateDoubtMs: minuteMs,
  /** How long a submission without a clear answer is remembered (rule: templates 5). */
  templateSubmissionMs: dayMs,
  listLimitMax: 100,
  listLimitDefault: 20,
  /** rule: media 2. A document is smaller when it is uploaded than when it comes by the caller's own link. */
  mediaBytesMax: {
    image: 5 * megabyte,
    audio: 16 * megabyte,
    video: 16 * megabyte,
    document: 100 * megabyte,
    sticker: 100 * kilobyte,
    animatedSticker: 500 * kilobyte,
  },
  uploadedDocumentBytesMax: 50 * megabyte,
  /** rule: media 4 */
  uploadsPerKeyMax: 30,
  uploadBytesPerDayMax: 1024 * megabyte,
  /** rule: media 7. What people send in a day by files: one person, and all who write to one account. */
  inboundBytesPerPersonMax: 500 * megabyte,
  inboundBytesPerAccountMax: 20 * 1024 * megabyte,
  /** Files are taken while this much of the disk is free. */
  freeBytesMin: 1024 * megabyte,
  /** rule: media 6. Upstream forgets a file after 30 days. */
  upstreamMediaMs: 29 * dayMs,
  /** rule: usage 4 */
  topErrorsMax: 10,
  /** Upstream: a notice is at most 3 MB. */
  noticeBytesMax: 3 * 1024 * 1024,
  /** How long before its number was connected a notice may have come, to be worked through by itself (rule: receive 22). */
  awaitedNoticeMs: hourMs,
  /** rule: receive 8 */
  parkedStatusMs: dayMs,
  /** rule: channels 2. What a number is, is read again that long after the last time. */
  channelCheckMs: hourMs,
  /** rule: changes 2. Longer than upstream repeats a notice, and than we keep one by default; never shorter than we do. */
  changeRememberedDays: 30,
} as const
