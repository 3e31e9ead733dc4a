import { callers } from '../ask.ts'
import type { Scenario } from '../scenario.ts'
import { upload } from '../upload.ts'

export const customerUploads: Scenario = {
  name: 'a customer uploads pictures of 5 MB, 8 at a time',
  resource: 'disk',
  async begin({ port, newcomer }) {
    const { key } = await newcomer()
    return callers(8, 200, () => upload(port, key, 5 * 1024 * 1024 - 1))
  },
}
