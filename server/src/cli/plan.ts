import { invalidField } from '../base/refusal.ts'
import { ok, refused } from '../base/result.ts'
import { planJson, setPlan } from '../features/accounts/public.ts'
import { required } from './arguments.ts'
import type { Command } from './command.ts'

export const planCommands: readonly Command[] = [
  {
    name: 'plan set',
    meaning: 'Create a plan, or change how many sends a month it includes.',
    argument: 'NAME',
    flags: [{ name: 'franchise', value: 'N', meaning: 'Sends included in a month.' }],
    async run({ withDatabase }, given) {
      const franchise = required(given, 'franchise')
      if (!franchise.ok) return franchise
      // Number('') and Number(' 1') would pass for numbers.
      if (!/^[0-9]{1,10}$/.test(franchise.value)) return refused(invalidField('franchise', 'The franchise is a whole number, 0 or more.'))
      const wanted = { name: given.argument, franchise: Number(franchise.value) }
      const plan = await withDatabase(({ database }) => setPlan({ database }, wanted))
      if (!plan.ok) return plan
      return ok({ json: planJson(plan.value), text: `The plan ${plan.value.name} includes ${plan.value.franchise} sends a month.` })
    },
  },
]
