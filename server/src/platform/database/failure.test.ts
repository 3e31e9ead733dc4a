import { expect, test } from 'vitest'
import { faultWords, isOutage } from './failure.ts'

const refused = Object.assign(new Error('invalid input syntax for type uuid: "5511987654321"'), {
  code: '22P02',
  severity: 'ERROR',
  routine: 'string_to_uuid',
  table: 'message',
})

const serverError = (code: string, message: string) => Object.assign(new Error(message), { code, severity: 'ERROR' })

test.each([
  ['a bug whose words are like those of a lost connection', new TypeError("Cannot read properties of undefined (reading 'appended')")],
  ['a broken promise of our own', new Error('bug: the timeout ended before it began')],
  ['a stack that is too deep', new RangeError('Maximum call stack size exceeded, connection ended')],
  ['data that PostgreSQL refuses', refused],
])('%s is no outage: trying again would not help', (_what, error) => {
  expect(isOutage(error)).toBe(false)
})

test.each([
  ['a connection that broke', new Error('Connection terminated unexpectedly')],
  ['a server that does not answer', new Error('Query read timeout')],
  ['a socket that was reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  ['a server that became a standby', serverError('25006', 'cannot execute INSERT in a read-only transaction')],
  ['a statement that took longer than it may', serverError('57014', 'canceling statement due to statement timeout')],
  ['a lock that was waited for longer than it may', serverError('55P03', 'canceling statement due to lock timeout')],
  ['a transaction that took longer than it may', serverError('25P04', 'terminating connection due to transaction timeout')],
  ['a full disk', Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' })],
])('%s is an outage', (_what, error) => {
  expect(isOutage(error)).toBe(true)
  expect(faultWords(error)).toBe(error.message)
})

test('what the log says of a fault names its kind and place and quotes no data', () => {
  expect(faultWords(refused)).toBe('SQLSTATE 22P02, string_to_uuid, message')
  const parsed = faultOf(() => JSON.parse('what 5511987654321 wrote\n    at heart'))
  expect(parsed).toMatch(/^SyntaxError\nat /)
  expect(parsed).not.toMatch(/5511987654321|heart/)
  expect(faultWords('5511987654321')).not.toContain('5511987654321')
})

function faultOf(work: () => unknown): string {
  try {
    work()
    return ''
  } catch (error) {
    return faultWords(error)
  }
}
