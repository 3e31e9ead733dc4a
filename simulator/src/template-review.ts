import type { TemplateChange } from './templates.ts'

/** What becomes of a new template: how its creation is answered, and what follows after the review. */
export type Review = { answered: TemplateChange; later: readonly TemplateChange[] }

/** Decides by the ending of the name. */
export function reviewOf(name: string): Review {
  const ending = Object.keys(REVIEWS).find((each) => name.endsWith(each)) ?? ''
  return REVIEWS[ending] ?? { answered: PENDING, later: [APPROVED] }
}

const PENDING: TemplateChange = { status: 'PENDING' }
const APPROVED: TemplateChange = { status: 'APPROVED' }
const REJECTED: TemplateChange = { status: 'REJECTED', rejectedReason: 'INVALID_FORMAT' }

const REVIEWS: { readonly [ending: string]: Review } = {
  _rejected: { answered: PENDING, later: [REJECTED] },
  _pending: { answered: PENDING, later: [] },
  _at_once: { answered: APPROVED, later: [] },
  _rejected_now: { answered: REJECTED, later: [] },
  _paused: { answered: PENDING, later: [APPROVED, { status: 'PAUSED' }] },
  _disabled: { answered: PENDING, later: [APPROVED, { status: 'DISABLED' }] },
  // The platform puts templates into another category by itself.
  _marketing: { answered: { ...PENDING, category: 'MARKETING' }, later: [APPROVED] },
}
