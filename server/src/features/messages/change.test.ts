import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queuedText } from '../../../test/support/messages.ts'
import type { JsonText } from '../../base/json.ts'
import { asKnownBy, type Change, changeMessage } from './change.ts'
import type { Message, Wamid } from './message.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 27) + seconds * 1_000)
const meta = (words: object) => JSON.stringify(words) as JsonText
const original: Message = {
  ...queuedText(at(0)),
  direction: 'inbound',
  status: 'received',
  text: 'first words',
  source: 'chat',
  wamid: 'wamid.IN' as Wamid,
  meta: meta({ from: '5511', id: 'wamid.IN', type: 'text', text: { body: 'first words' }, contact: { wa_id: '5511' } }),
}
const edit = (seconds: number, text: string | null = `words of ${seconds}`): Change => ({ kind: 'edit', at: at(seconds), text })
const deletion = (seconds: number): Change => ({ kind: 'deletion', at: at(seconds) })
const after = (message: Message, ...changes: Change[]) => changes.reduce((known, each) => changeMessage(known, each) ?? known, message)

// rule: receive 11
describe('what is done to the words of a message', () => {
  test('an edit changes the text and the original alike', () => {
    expect(after(original, edit(5))).toMatchObject({ text: 'words of 5', editedAt: at(5), type: 'text' })
    expect(JSON.parse(after(original, edit(5)).meta ?? '')).toEqual({
      ...{ from: '5511', id: 'wamid.IN', type: 'text', contact: { wa_id: '5511' } },
      text: { body: 'words of 5' },
    })
  })

  test('an edit of a caption keeps the file, and one that takes it away leaves none', () => {
    const image: Message = {
      ...original,
      type: 'image',
      kind: 'image',
      media: meta({ url: 'u' }),
      meta: meta({ type: 'image', image: { id: 12345678901234567890n.toString(), caption: 'first words' } }),
    }
    expect(after(image, edit(5))).toMatchObject({ text: 'words of 5', media: image.media })
    expect(JSON.parse(after(image, edit(5)).meta ?? '').image).toEqual({ id: '12345678901234567890', caption: 'words of 5' })
    expect(after(image, edit(5, null)).text).toBeNull()
    expect(JSON.parse(after(image, edit(5, null)).meta ?? '').image).toEqual({ id: '12345678901234567890' })
  })

  test('numbers of the original keep their digits', () => {
    const large: Message = { ...original, meta: '{"text":{"body":"a"},"n":12345678901234567890}' as JsonText }
    expect(after(large, edit(1)).meta).toContain('"n":12345678901234567890')
    expect(after(large, deletion(1)).meta).toBe('{}')
  })

  test('of a kind whose words have no known place none of the old ones stay', () => {
    const order: Message = { ...original, kind: 'order', meta: meta({ id: 'wamid.IN', type: 'order', order: { text: 'first words' } }) }
    expect(JSON.parse(after(order, edit(1)).meta ?? '')).toEqual({ id: 'wamid.IN', type: 'order' })
  })

  test('a deletion leaves who and when, and nothing of what was said', () => {
    const quoting: Message = {
      ...original,
      media: meta({ url: 'u' }),
      meta: meta({ from: '5511', id: 'wamid.IN', timestamp: '1', type: 'text', text: { body: 'first words' }, referral: { body: 'x' } }),
    }
    expect(after(quoting, deletion(1))).toMatchObject({ text: null, media: null, mediaId: null, deletedAt: at(1) })
    expect(JSON.parse(after(quoting, deletion(1)).meta ?? '')).toEqual({ from: '5511', id: 'wamid.IN', timestamp: '1', type: 'text' })
  })

  test('an older edit changes nothing; of two in the same second the one that came later counts', () => {
    const edited = after(original, edit(5))
    expect(changeMessage(edited, edit(4))).toBeNull()
    expect(changeMessage(edited, edit(5, 'again'))?.text).toBe('again')
  })

  test('nothing brings deleted words back, and a second deletion changes nothing', () => {
    const deleted = after(original, deletion(5))
    for (const change of [edit(4), edit(5), edit(6), deletion(4), deletion(6)]) expect(changeMessage(deleted, change)).toBeNull()
  })

  test('the end does not depend on the order, nor on when the original comes', () => {
    const changes = fc.uniqueArray(fc.record({ seconds: fc.nat(20), deletes: fc.boolean() }), {
      selector: (each) => each.seconds,
      maxLength: 5,
    })
    fc.assert(
      fc.property(
        changes.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.nat(list.length))),
        ([list, shuffled, arrives]) => {
          const all = shuffled.map(({ seconds, deletes }) => (deletes ? deletion(seconds) : edit(seconds)))
          const placeholder: Message = { ...original, kind: 'placeholder', text: null, meta: null }
          const before = after(placeholder, ...all.slice(0, arrives))
          const end = after(asKnownBy(original, before), ...all.slice(arrives))
          const newest = list.filter((each) => !each.deletes).toSorted((a, b) => b.seconds - a.seconds)[0]
          const words = newest === undefined ? 'first words' : `words of ${newest.seconds}`
          const isDeleted = list.some((each) => each.deletes)
          expect(end.text).toBe(isDeleted ? null : words)
          const body = JSON.parse(end.meta ?? '').text?.body
          expect(body).toBe(isDeleted ? undefined : words)
        },
      ),
    )
  })
})
