/** What later features may use of templates. */
export { type CategoryReader, createCategoryReader, knownCategories, type WantedTemplate } from './categories.ts'
export { rememberTemplates } from './store.ts'
export type { SeenTemplate, TemplateKey } from './template.ts'
