/** What later features and the operator's tool may use of channels. */
export type { Channel, ChannelInUse } from './channel.ts'
export { connectChannel } from './connect.ts'
export { disconnectChannel, setChannelToken } from './set-token.ts'
export { channelsOf, findByPhoneNumberIds, findChannels, listAllChannels, listChannels, markDisconnected } from './store.ts'
export { channelJson } from './wire.ts'
