const moment = '2026-11-27T21:11:41.747Z'
const seconds = '1795813901'

/**
 * JSON as a document shows it: what is different in every run (ids, times, people and numbers that tests make up) is replaced, the same by the same. Two runs that
 * answer alike give the same text.
 */
export function stable(value: unknown): string {
  const ids = new Map<string, string>()
  const numbered = (id: string, prefix: string) => {
    const known = ids.get(id) ?? `${prefix}_019ac8f0a1b27c3d8e4f5a6b${String(ids.size + 1).padStart(8, '0')}`
    ids.set(id, known)
    return known
  }
  return JSON.stringify(value, null, 2)
    .replaceAll(/\b([a-z]{2,3})_[0-9a-f]{32}\b/g, (id, prefix: string) => numbered(id, prefix))
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, moment)
    .replaceAll(/"(timestamp|time)": ("?)\d{10}\b/g, `"$1": $2${seconds}`)
    .replaceAll(/wamid\.[A-Za-z0-9+/=]+/g, 'wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjNBMUNCMjUxRUMwRDU2OERFNgA=')
    .replaceAll(/\b55\d\d980\d{6}\b/g, '5511987654321')
    .replaceAll(/\bBR\.\d{14}\b/g, 'BR.71000070892155')
    .replaceAll(/\b1183509\d+\b/g, '118350927764405')
    .replaceAll(/\b2048173\d+\b/g, '204817396550128')
    .replaceAll(/in \d+ seconds/g, 'in 42 seconds')
}

/** The value of a signature header, with a time and digests that stay. */
export const stableSignature = (signature: string): string =>
  signature.replaceAll(/t=\d+/g, `t=${seconds}`).replaceAll(/v1=[0-9a-f]{64}/g, `v1=${'5f'.repeat(32)}`)
