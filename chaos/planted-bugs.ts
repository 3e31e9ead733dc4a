import { acceptingBugs } from './bugs/accepting.ts'
import { countingBugs } from './bugs/counting.ts'
import { deliveringBugs } from './bugs/delivering.ts'
import { edgeBugs } from './bugs/edges.ts'
import { growingBugs } from './bugs/growing.ts'
import { mailboxBugs } from './bugs/mailboxes.ts'
import { noticeBugs } from './bugs/notices.ts'
import type { PlantedBug } from './bugs/planted-bug.ts'
import { sendingBugs } from './bugs/sending.ts'
import { sharingBugs } from './bugs/sharing.ts'
import { strangerBugs } from './bugs/strangers.ts'
import { truthBugs } from './bugs/truth.ts'
import { valueBugs } from './bugs/values.ts'
import { waitingBugs } from './bugs/waits.ts'

/** Every one of them must be caught: that is the proof that a green run means something. */
export const plantedBugs: readonly PlantedBug[] = [
  ...sendingBugs,
  ...acceptingBugs,
  ...noticeBugs,
  ...deliveringBugs,
  ...edgeBugs,
  ...countingBugs,
  ...waitingBugs,
  ...sharingBugs,
  ...strangerBugs,
  ...growingBugs,
  ...mailboxBugs,
  ...truthBugs,
  ...valueBugs,
]
