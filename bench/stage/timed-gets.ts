import { Pool } from 'undici'

/** Asks for these paths one after the other, so often in all, with one key over one connection; answers how many milliseconds each took. */
export async function timedGets(
  url: string,
  key: string,
  { paths, count }: { paths: readonly string[]; count: number },
): Promise<number[]> {
  const pool = new Pool(url, { connections: 1, allowH2: false })
  const times: number[] = []
  for (let i = 0; i < count; i += 1) {
    const path = paths[i % paths.length] ?? '/'
    const startedMs = performance.now()
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${key}` } })
    const text = await body.text()
    times.push(performance.now() - startedMs)
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${text.slice(0, 500)}`)
  }
  await pool.close()
  return times
}
