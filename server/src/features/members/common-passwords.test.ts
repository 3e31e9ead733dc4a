import { expect, test } from 'vitest'
import { commonPasswordReason } from './common-passwords.ts'

test.each(['1234567890', '11/09/2001 10:30', '(11) 98765-4321', '0000000000'])('%j is digits alone', (password) => {
  expect(commonPasswordReason(password)).toBe('password_digits')
})

test.each(['password123', 'Password123!', 'QWERTYUIOP', ' senha123456 ', 'aaaaaaaaaa', 'abababababab', 'corinthians'])(
  '%j is among the first that anybody tries',
  (password) => {
    expect(commonPasswordReason(password)).toBe('password_common')
  },
)

test.each(['uma senha bem longa', 'cavalo correto 42', 'Tr0ub4dor&3x', 'açaí com granola', '1234567890 pães'])(
  '%j is nobody else’s',
  (password) => {
    expect(commonPasswordReason(password)).toBeNull()
  },
)
