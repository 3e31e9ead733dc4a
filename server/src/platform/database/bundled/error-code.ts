/** Whether something thrown carries one of these codes, as errors of the operating system and of PostgreSQL do. */
export function isErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
