/**
 * Everything that a test key may call, as method and path of the contract; all else is refused with `forbidden`. Routes say
 * it again where they stand (`testKeys: true`), and a test over the whole service compares the two.
 */
// rule: authentication 3
export const testKeyOperations = [
  'POST /messages',
  'GET /messages',
  'GET /messages/{id}',
  'GET /templates',
  'GET /templates/{name}',
  'GET /channels',
  'POST /marketing-opt-outs',
  'DELETE /marketing-opt-outs/{phone}',
  'GET /marketing-opt-outs',
] as const
