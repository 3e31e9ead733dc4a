/** Which templates the list shows, as its address says it; of the other template pages, which account of the platform and language they are about. */
export type TemplateSearch = { q?: string; status?: string; category?: string; quality?: string; language?: string; channel?: string }

const fields = ['q', 'status', 'category', 'quality', 'language', 'channel'] as const
const charsMax = 100

/** An address is typed and shared by people: what is not understood is left out. */
export function readTemplateSearch(search: Record<string, unknown>): TemplateSearch {
  const given = fields.flatMap((field) => {
    const value = typeof search[field] === 'number' ? String(search[field]) : search[field]
    return typeof value === 'string' && value !== '' && value.length <= charsMax ? [[field, value]] : []
  })
  return Object.fromEntries(given) as TemplateSearch
}
