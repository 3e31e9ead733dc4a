import { badWebhooks } from '../bad-webhooks.ts'
import type { Scenario } from '../scenario.ts'

export const webhookBlackHoles: Scenario = {
  name: 'ten webhooks take each event and never answer, or drip, or flood',
  resource: 'lanes',
  begin: (town) => badWebhooks(town, ['hangs', 'drips', 'floods']),
}
