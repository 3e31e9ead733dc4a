/** Saves a text as a file on the reader's machine. */
export function download(fileName: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}

/** Excel reads a file as UTF-8 only when it begins so. */
const byteOrderMark = '\ufeff'

/**
 * Rows as CSV with a head, in the form that a Brazilian Excel opens in columns: semicolons, since the comma is its decimal sign. A text that
 * a spreadsheet would take for a formula gets an apostrophe before it.
 */
export function csvOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return byteOrderMark + [head, ...rows].map((row) => `${row.map(cellOf).join(';')}\r\n`).join('')
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[";,\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
