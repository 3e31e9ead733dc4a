/** Nothing is wrong with us or the database, but the command cannot go on; the message says what to do. */
export class CannotRun extends Error {}
