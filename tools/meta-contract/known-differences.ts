/** A difference that was looked at, with the reason why it stays. */
export type KnownDifference = { where: string; what: string; because: string }

/** Reads the tables of the document: rows whose first two cells are code. */
export function knownDifferences(markdown: string): KnownDifference[] {
  return markdown.split('\n').flatMap((line) => {
    const row = /^\| *`([^`]+)` *\| *`([^`]+)` *\| *(.*?) *\|$/.exec(line)
    return row?.[1] === undefined || row[2] === undefined ? [] : [{ where: row[1], what: row[2], because: row[3] ?? '' }]
  })
}
