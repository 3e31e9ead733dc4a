import type { Scenario } from './scenario.ts'
import { customerBursts } from './scenarios/customer-bursts.ts'
import { customerCostlyLists } from './scenarios/customer-costly-lists.ts'
import { customerInvalidBodies } from './scenarios/customer-invalid-bodies.ts'
import { customerUploads } from './scenarios/customer-uploads.ts'
import { memberInvitations } from './scenarios/member-invitations.ts'
import { memberLiveStreams } from './scenarios/member-live-streams.ts'
import { memberRareSearches } from './scenarios/member-rare-searches.ts'
import { numberBacklog } from './scenarios/number-backlog.ts'
import { numberDamagedToken } from './scenarios/number-damaged-token.ts'
import { operatorDump } from './scenarios/operator-dump.ts'
import { strangerInvalidJson } from './scenarios/stranger-invalid-json.ts'
import { strangerOpenBodies } from './scenarios/stranger-open-bodies.ts'
import { strangerSignIns } from './scenarios/stranger-sign-ins.ts'
import { strangerSlowFiles } from './scenarios/stranger-slow-files.ts'
import { strangerSlowHeaders } from './scenarios/stranger-slow-headers.ts'
import { strangerUnsignedNotices } from './scenarios/stranger-unsigned-notices.ts'
import { strangerWrongKeys } from './scenarios/stranger-wrong-keys.ts'
import { webhookBlackHoles } from './scenarios/webhook-black-holes.ts'

/** Everybody who does their worst. Another one is a file of `scenarios/` and a line here. */
export const scenarios: readonly Scenario[] = [
  strangerOpenBodies,
  strangerUnsignedNotices,
  strangerSlowHeaders,
  strangerWrongKeys,
  strangerSignIns,
  strangerInvalidJson,
  strangerSlowFiles,
  customerCostlyLists,
  customerBursts,
  customerInvalidBodies,
  customerUploads,
  numberBacklog,
  numberDamagedToken,
  webhookBlackHoles,
  memberRareSearches,
  memberLiveStreams,
  memberInvitations,
  operatorDump,
]
