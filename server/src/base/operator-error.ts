/** What only the operator can put right. The message is for the terminal: plain sentences, the last one says what to do. */
export class OperatorError extends Error {}
