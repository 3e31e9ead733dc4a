import { expect, test } from 'vitest'
import { createPrivateWords } from './private-words.ts'

test('what was sent is found wherever it stands in an observation, and short words are not looked for', () => {
  const words = createPrivateWords()
  words.addBody({ to: '+55 11 98765-4321', text: { body: 'two\nlines "quoted"' }, contact_name: 'Maria Silva' })
  words.add('svc_live_0123456789', 'Oi!')
  words.check([{ kind: 'http.answered', route: '/v1/messages', status: 202, note: 'Oi!' }])
  for (const leak of ['to +55 11 98765-4321', 'two\nlines "quoted"', 'Maria Silva', 'key svc_live_0123456789 was used']) {
    expect(() => words.check([{ kind: 'x.y', message: `failed: ${leak}` }])).toThrow(/private/)
  }
})
