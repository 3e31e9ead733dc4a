/** Where a code shows itself: in the HTTP answer, in a `failed` notice, in both, or only with messages that come in. */
export type CodePlace = 'answer' | 'notice' | 'both' | 'inbound'

/** What is known of one error code. `status` is the HTTP status of an answer that carries it. */
export type CodeFacts = { code: number; status: number; place: CodePlace; title: string; details: string }

/** The facts of a code, or null for one that the platform does not have. */
export function codeFacts(code: number): CodeFacts | null {
  return FACTS.get(code) ?? null
}

/** Facts for any code at all: an unknown one is treated as an error of the request. */
export function codeFactsOrPlain(code: number): CodeFacts {
  return codeFacts(code) ?? { code, status: 400, place: 'answer', title: 'Unknown error', details: 'Unknown error' }
}

type Row = readonly [code: number, status: number, place: CodePlace, title: string, details?: string]

const WINDOW_CLOSED = 'Message failed to send because more than 24 hours have passed since the customer last replied to this number.'

const ROWS: readonly Row[] = [
  [0, 401, 'answer', 'AuthException'],
  [1, 400, 'answer', 'An unknown error occurred'],
  [2, 503, 'answer', 'Service temporarily unavailable'],
  [3, 500, 'answer', 'Application does not have the capability to make this API call'],
  [4, 400, 'answer', 'Application request limit reached'],
  [10, 403, 'answer', 'Application does not have permission for this action'],
  [33, 400, 'answer', 'Parameter value is not valid', 'The business phone number has been deleted.'],
  [100, 400, 'answer', 'Invalid parameter'],
  [102, 401, 'answer', 'Session key invalid or no longer valid'],
  [104, 401, 'answer', 'Requires valid signature'],
  [190, 401, 'answer', 'Invalid OAuth access token'],
  [200, 403, 'answer', 'Permissions error'],
  [368, 403, 'answer', 'Temporarily blocked for policies violations'],
  [613, 400, 'answer', 'Calls to this api have exceeded the rate limit'],
  [80007, 400, 'answer', 'Rate limit issues', 'The WhatsApp Business Account has reached its rate limit.'],
  [80008, 400, 'answer', 'Rate limit issues', 'There have been too many management calls to this WhatsApp Business Account.'],
  [130403, 403, 'both', 'User blocked', 'The business has blocked this person.'],
  [130429, 400, 'both', 'Rate limit hit', 'Cloud API message throughput has been reached.'],
  [130472, 400, 'notice', "User's number is part of an experiment"],
  [130497, 403, 'both', 'Business account is restricted from messaging users in this country'],
  [130501, 400, 'inbound', 'Message type is not currently supported'],
  [131000, 500, 'both', 'Something went wrong', 'Message failed to send due to an unknown error.'],
  [131005, 403, 'answer', 'Access denied'],
  [131008, 400, 'answer', 'Required parameter is missing'],
  [131009, 400, 'both', 'Parameter value is not valid'],
  [131016, 500, 'both', 'Service unavailable', 'Message failed to send because of a temporary problem of the service.'],
  [131020, 400, 'answer', 'Invalid group'],
  [131021, 400, 'answer', 'Recipient cannot be sender'],
  [131026, 400, 'notice', 'Message undeliverable', 'Message Undeliverable.'],
  [131030, 400, 'answer', 'Recipient phone number not in allowed list'],
  [131031, 403, 'both', 'Account has been locked'],
  [131037, 400, 'both', 'Display name approval needed before messages can be sent'],
  [131041, 400, 'answer', 'Group unknown'],
  [131042, 400, 'notice', 'Business eligibility payment issue'],
  [131043, 400, 'notice', 'Message expired'],
  [131044, 400, 'notice', 'Message was not sent in time'],
  [131045, 500, 'both', 'Message failed to send due to a phone number registration error'],
  [131047, 400, 'notice', 'Re-engagement message', WINDOW_CLOSED],
  [131048, 400, 'both', 'Spam rate limit hit'],
  [131049, 400, 'notice', 'This message was not delivered to maintain healthy ecosystem engagement.'],
  [131050, 400, 'notice', 'This recipient has chosen to stop receiving marketing messages from your business'],
  [131051, 400, 'both', 'Unsupported message type'],
  [131052, 400, 'inbound', 'Media download error'],
  [131053, 400, 'notice', 'Media upload error'],
  [131055, 400, 'answer', 'Method not allowed'],
  [131056, 400, 'both', '(Business Account, Consumer Account) pair rate limit hit'],
  [131057, 500, 'both', 'Account in maintenance mode'],
  [131059, 400, 'answer', 'Cursor is not valid'],
  [131060, 400, 'inbound', 'This message is unavailable'],
  [131062, 400, 'answer', 'Recipient is not supported for this message'],
  [131063, 400, 'both', 'Marketing messages are switched off on this API'],
  [131064, 400, 'both', 'Limited after a template was put into the wrong category'],
  [131201, 206, 'answer', 'Group operation was done in part'],
  ...groupCodes(131202, 131206),
  [131207, 403, 'answer', 'Group is suspended'],
  [131208, 429, 'answer', 'Group operation limit hit'],
  ...groupCodes(131209, 131215),
  [132000, 400, 'answer', 'Number of parameters does not match the expected number of params'],
  [132001, 404, 'answer', 'Template name does not exist in the translation'],
  [132005, 400, 'answer', 'Translated text too long'],
  [132007, 400, 'both', 'Template content policy violated'],
  [132012, 400, 'answer', 'Parameter format does not match format in the created template'],
  [132015, 400, 'both', 'Template is paused'],
  [132016, 400, 'both', 'Template is disabled'],
  [132018, 400, 'answer', 'Template parameters are not valid'],
  [132068, 400, 'both', 'Flow is in blocked state'],
  [132069, 400, 'both', 'Flow is in throttled state'],
  [133000, 500, 'answer', 'Incomplete deregistration'],
  [133004, 503, 'answer', 'Server temporarily unavailable'],
  [133005, 400, 'answer', 'Two step verification PIN mismatch'],
  [133006, 400, 'answer', 'Phone number re-verification needed'],
  [133008, 400, 'answer', 'Too many two step verification PIN guesses'],
  [133009, 400, 'answer', 'Two step verification PIN guessed too fast'],
  [133010, 400, 'answer', 'Phone number not registered', 'The phone number is not registered on the platform.'],
  [133015, 400, 'answer', 'The phone number was deleted a moment ago'],
  [133016, 400, 'answer', 'Too many register or deregister calls'],
  [134011, 400, 'both', 'Payments terms are not accepted'],
  [134100, 400, 'answer', 'Only marketing templates may be sent here'],
  [134101, 400, 'answer', 'Template is still being synced'],
  [134102, 500, 'answer', 'Template is unavailable here'],
  [135000, 400, 'both', 'Generic user error'],
  [137000, 400, 'notice', 'Identity key hash does not match'],
  ...[147001, 147002, 147003, 147004, 147005].map((code): Row => [code, 400, 'answer', 'Business username error']),
  ...[200005, 200006, 200007].map((code): Row => [code, 400, 'answer', 'Template insights are not available']),
  [2494100, 400, 'answer', 'The number is under maintenance'],
]

const FACTS: ReadonlyMap<number, CodeFacts> = new Map(
  ROWS.map(([code, status, place, title, details]) => [code, { code, status, place, title, details: details ?? title }]),
)

function groupCodes(first: number, last: number): Row[] {
  return Array.from({ length: last - first + 1 }, (_, i): Row => [first + i, 400, 'answer', 'Group operation is not possible'])
}
