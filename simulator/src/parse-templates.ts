import { checkTemplate } from './check-template.ts'
import { isFilled, isObject, type JsonObject } from './json-value.ts'
import type { TemplateChange, TemplateOptions } from './templates.ts'

/** Reads a template that is to be put in place. A text in its place is the sentence that says what is wrong. */
export function parseTemplate(value: unknown): { wabaId: string; options: TemplateOptions } | string {
  if (!isObject(value)) return 'Give an object.'
  const { wabaId, ...rest } = value
  if (typeof wabaId !== 'string' || !/^\d+$/.test(wabaId)) return 'Give "wabaId" in digits.'
  const options = checkTemplate({ category: 'UTILITY', components: [{ type: 'BODY', text: 'Hello World' }], ...rest })
  if ('code' in options) return options.user?.message ?? options.message
  return { wabaId, options: { ...options, ...(isFilled(rest.status) ? { status: rest.status } : {}) } }
}

const TEXTS = ['status', 'category', 'qualityScore', 'rejectedReason', 'previousCategory']

/** Reads a change of a template. */
export function parseTemplateChange(value: unknown): TemplateChange | string {
  if (!isObject(value)) return 'Give an object.'
  const wrong = Object.entries(value).find(([key, given]) => !isChange(key, given))
  return wrong === undefined ? (value as JsonObject as TemplateChange) : `"${wrong[0]}" is not known, or not what it must be.` // every key was just looked at
}

function isChange(key: string, given: unknown): boolean {
  if (key === 'components') return Array.isArray(given) && given.every((each) => isObject(each))
  return TEXTS.includes(key) && isFilled(given)
}
