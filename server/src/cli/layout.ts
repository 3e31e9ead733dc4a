/** Rows under a heading, in columns as wide as they need; `none` is said when there are no rows. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none
  const all = [heading, ...rows]
  const widths = heading.map((_each, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A sentence, and below it what it is about, name by name. */
export function described(sentence: string, facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length))
  return [sentence, '', ...facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)].join('\n')
}

/** A moment for a reader: to the second, in UTC. */
export function moment(at: Date | null, none: string): string {
  return at === null ? none : `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
