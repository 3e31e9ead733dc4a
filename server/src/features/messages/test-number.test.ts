import { describe, expect, test } from 'vitest'
import { digits } from '../../../test/support/stage.ts'
import { testCourse } from './test-number.ts'

const courseOf = (ending: string) => testCourse(digits(`5511900${ending}`))

describe('the last six digits of a test number', () => {
  test.each([
    ['000001', 'stays_sent'],
    ['000002', 'stays_delivered'],
    ['000003', 'answered'],
    ['000004', 'out_of_order'],
    ['000005', 'window_closed'],
    ['000015', 'expires'],
    ['123456', 'read'],
    ['999999', 'read'],
  ])('%s choose %s', (ending, kind) => {
    expect(courseOf(ending)).toEqual({ kind })
  })

  test.each(['131026', '131047', '131049', '130429', '131056', '131000'])('%s is told by notice after a 200', (ending) => {
    expect(courseOf(ending)).toEqual({ kind: 'fails_later', code: Number(ending), message: expect.stringMatching(/\w/) })
  })

  test.each(['132000', '132001', '131005', '131008', '133010'])('%s is told in the answer', (ending) => {
    expect(courseOf(ending)).toEqual({ kind: 'refused', code: Number(ending), message: expect.stringMatching(/\w/) })
  })

  test('only the end of the number counts, and a person without a phone has the plain course', () => {
    expect(testCourse(digits('131026551199'))).toEqual({ kind: 'read' })
    expect(testCourse(null)).toEqual({ kind: 'read' })
  })
})
