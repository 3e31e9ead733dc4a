/** What later features and the operator's tool may use of channels. */
export type { Channel, ChannelInUse, Fact, ToldOfNumber } from './channel.ts'
/** Reads numbers whose hour is over; for the tasks. */
export { type ChannelCheckObservation, checkDueNumbers } from './check-numbers.ts'
export { connectChannel } from './connect.ts'
/** What notices tell of numbers. */
export { hearOfNumbers } from './hear.ts'
/** Whether our app gets the notices of a WABA. */
export { getsNotices } from './number-facts.ts'
export { disconnectChannel, setChannelToken } from './set-token.ts'
export {
  channelsOf,
  findByPhoneNumberIds,
  findByWabaIds,
  findChannels,
  homeCountryOfAccount,
  listAllChannels,
  listChannels,
  markDisconnected,
} from './store.ts'
export { noteLastNotices, scheduleChecks, unwellChannels } from './told-store.ts'
export { channelDetailsJson, channelDetailsSchema, operatorChannelJson } from './wire.ts'
