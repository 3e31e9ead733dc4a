import { messageEventData, messageEventSchemas, testModeText } from './features/messages/public.ts'
import { describeEvents } from './features/webhooks/public.ts'
import type { DocumentOptions } from './platform/http/openapi.ts'

/** What the contract says beside its operations: where it is served, what its tags mean, and every event with its data. */
export function documentOf({ publicUrl, altPublicUrl }: { publicUrl: string; altPublicUrl: string | null }): DocumentOptions {
  const events = describeEvents(messageEventData)
  const servers = [{ url: publicUrl, description: 'The main address.' }]
  if (altPublicUrl !== null) servers.push({ url: altPublicUrl, description: 'A second address of the same service.' })
  return {
    servers,
    description:
      'Sends and receives messages through the official business API, with signed events that are re-delivered until they are taken.\n\n' +
      'Every call carries `Authorization: Bearer <API_KEY>`. JSON is UTF-8, times are ISO-8601 in UTC, phones in answers are digits with country code.\n\n' +
      `## Test mode\n\n${testModeText()}`,
    contact: { name: 'The operator of this gateway', url: publicUrl },
    tags,
    webhooks: events.webhooks,
    schemas: { ...events.schemas, ...messageEventSchemas },
  }
}

const tags = [
  { name: 'Messages', description: 'Send messages, read what was sent and received.' },
  { name: 'Media', description: 'Files with permanent links, for use in any number of sends.' },
  { name: 'Templates', description: 'What may be sent outside of the 24-hour window, approved by the upstream platform.' },
  { name: 'Channels', description: 'The numbers of the account.' },
  { name: 'Webhooks', description: 'Addresses that are told of events, and the history of what was posted to them.' },
  { name: 'Marketing opt-outs', description: 'People to whom no marketing template is sent.' },
  { name: 'Usage', description: 'What was sent in a month, and what it cost.' },
  { name: 'Events', description: 'What the gateway posts to webhooks.' },
]
