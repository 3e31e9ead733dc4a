// @ts-expect-error It brings no types.
import s3rver from 's3rver'
import type { Bucket } from '../../src/platform/storage/storage.ts'

/** As much of it as is used: it brings no types. */
type S3rver = new (options: {
  address: string
  port: number
  silent: boolean
  directory: string
  configureBuckets: readonly { name: string }[]
}) => { run(): Promise<{ port: number }>; close(): Promise<void> }

/** A simulated store in the manner of S3, for tests only: it is no proof of a real one. */
export type LocalStore = { bucket: Bucket; close(): Promise<void> }

/** Takes the credentials that it wants into the environment, where the client of S3 looks for them. */
export async function startLocalStore(directory: string): Promise<LocalStore> {
  process.env.AWS_ACCESS_KEY_ID ??= 'S3RVER'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'S3RVER'
  const S3rver: S3rver = s3rver
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'files' }] })
  const { port } = await server.run()
  return { bucket: { bucket: 'files', prefix: '', endpoint: `http://127.0.0.1:${port}`, region: null }, close: () => server.close() }
}
