import { testEndings } from './test-number.ts'

/** What a test key does, in Markdown: for the contract and for docs/test-mode.md. */
export function testModeText(): string {
  const { courses, inAnswer, byNotice } = testEndings()
  const table = (head: readonly [string, string], rows: readonly (readonly [string, string])[]) =>
    [`| ${head.join(' | ')} |`, '| - | - |', ...rows.map(([ending, words]) => `| \`…${ending}\` | ${words} |`)].join('\n')
  return [
    'A key that begins with `svc_test_` sends nothing. Its messages take the same way through queue and events, with a simulated platform at the end, and all of it says `livemode: false`. ' +
      'Their events go to the webhooks of the account, which a live key makes.',
    'A test key may send, mark as read, read its own messages, list templates and numbers, and set opt-outs. Everything else is 403 `forbidden`: webhooks, media, usage, creating and deleting templates.',
    'The window of 24 hours is open for everybody. The last six digits of the phone choose what becomes of a message; with any others it is sent, delivered and read.',
    table(['phone', 'what happens'], courses),
    'These endings fail with the code of the platform that they are: the message goes from `queued` to `failed`, as when the platform refuses the send.',
    table(['phone', 'message of the error'], inAnswer),
    'With these it goes from `queued` to `sent` and then to `failed`, as when the platform tells of it later.',
    table(['phone', 'message of the error'], byNotice),
  ].join('\n\n')
}
