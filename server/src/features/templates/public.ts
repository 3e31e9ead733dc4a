/** What later features may use of templates. */
export { type CategoryReader, createCategoryReader, knownCategories } from './categories.ts'
export { createStatusReader, type StatusReader } from './statuses.ts'
export { rememberTemplates } from './store.ts'
export type { SeenTemplate, TemplateKey, WantedTemplate } from './template.ts'
