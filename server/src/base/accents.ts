/**
 * The text without any mark that combines with a letter, in time that grows with its length. The marks that stand alone go first: to bring a
 * long run of them into their canonical order takes the square of it, and a stranger may have written the text.
 */
export const withoutAccents = (text: string): string => withoutMarks(withoutMarks(text).normalize('NFD'))

const withoutMarks = (text: string) => text.replaceAll(/\p{M}/gu, '')
