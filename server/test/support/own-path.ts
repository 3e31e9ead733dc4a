import { randomUUID } from 'node:crypto'

/**
 * The first part of the paths of one receiver. The system may give a receiver the port of a program that has just ended, whose callers still call it:
 * a request to another path is one of theirs, and proves nothing.
 */
export const ownPath = (): string => `/${randomUUID()}`
