import { readFileSync } from 'node:fs'

/** The rows of a table in `fixtures/`, without its heading: a verdict, the text that is judged, and why. */
export function readCorpus(name: 'addresses' | 'urls'): { verdict: string; text: string; why: string }[] {
  const lines = readFileSync(new URL(`fixtures/${name}.tsv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
  return lines.map((line) => {
    const [verdict = '', text = '', why = ''] = line.split('\t')
    return { verdict, text, why }
  })
}
