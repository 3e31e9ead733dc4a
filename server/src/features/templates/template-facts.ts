import type { TemplateFields } from '../../platform/upstream/templates.ts'
import type { Template } from './template.ts'

/** Says with null what upstream says with a word: that there is no quality yet, and no reason. */
export function templateFacts({ qualityScore, ...fields }: TemplateFields): Template {
  return {
    ...fields,
    quality: qualityScore === 'UNKNOWN' ? null : qualityScore,
    rejectedReason: fields.rejectedReason === 'NONE' ? null : fields.rejectedReason,
  }
}
