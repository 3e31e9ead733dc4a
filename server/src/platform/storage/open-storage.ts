import type { Clock } from '../../base/clock.ts'
import { openDiskStorage } from './disk.ts'
import type { Bucket, Storage } from './storage.ts'

/** The bucket, or a directory of this machine where there is none. The client of S3 takes time and memory, and is loaded only for a bucket. */
export async function openStorage(deps: { clock: Clock }, options: { bucket: Bucket | null; directory: string }): Promise<Storage> {
  if (options.bucket === null) return openDiskStorage(options.directory)
  const { openS3Storage } = await import('./s3.ts')
  return openS3Storage(deps, options.bucket)
}
