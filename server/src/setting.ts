import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseSecretKey, type SecretKey } from './base/seal.ts'

/** The value, or what is wrong with the text, as the rest of a sentence that begins with the setting's name. */
export type Read<Value> = { ok: true; value: Value } | { ok: false; problem: string }

export type Setting<Value> = {
  name: string
  meaning: string
  /** What holds when it is unset, in words: some defaults follow from other settings. */
  defaultText: string
  read(text: string): Read<Value>
  fallback: Value
}

/** Declares a setting. `defaultText` is needed only where the default cannot be read off its value. */
export function setting<Value>(
  name: string,
  meaning: string,
  read: (text: string) => Read<Value>,
  fallback: Value,
  defaultText = String(fallback),
): Setting<Value> {
  return { name, meaning, read, fallback, defaultText }
}

/** A setting without a default of its own: null when it is unset. */
export function optional<Value>(
  name: string,
  meaning: string,
  read: (text: string) => Read<Value>,
  defaultText: string,
): Setting<Value | null> {
  return setting<Value | null>(name, meaning, read, null, defaultText)
}

const good = <Value>(value: Value): Read<Value> => ({ ok: true, value })
const bad = (problem: string): { ok: false; problem: string } => ({ ok: false, problem })

export const text = (value: string): Read<string> => good(value)

export const boolean = (value: string): Read<boolean> =>
  value === 'true' || value === 'false' ? good(value === 'true') : bad('must be true or false')

export const wholeNumber =
  (min: number, max: number) =>
  (value: string): Read<number> =>
    /^[0-9]{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? good(Number(value))
      : bad(`must be a whole number from ${min} to ${max}`)

export const oneOf =
  <const Values extends readonly string[]>(values: Values) =>
  (value: string): Read<Values[number]> =>
    values.includes(value) ? good(value) : bad(`must be one of ${values.join(', ')}`)

/** Items between commas; blanks around them do not count, empty ones are a mistake. */
export const listOf =
  <Value>(read: (text: string) => Read<Value>, itemsMax = 100) =>
  (value: string): Read<readonly Value[]> => {
    const items = value.split(',').map((each) => each.trim())
    if (items.length > itemsMax) return bad(`takes at most ${itemsMax}, separated by commas`)
    const values: Value[] = []
    for (const item of items) {
      const one = item === '' ? bad('has an empty item between its commas') : read(item)
      if (!one.ok) return one
      values.push(one.value)
    }
    return good(values)
  }

/** An address of ours or of upstream, without a slash at its end. */
export function webAddress(value: string): Read<string> {
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol)) return bad('must be an address that starts with http:// or https://')
  if (url.username !== '' || url.search !== '' || url.hash !== '') return bad('must be an address without user, query and fragment')
  return good(url.href.replace(/\/+$/, ''))
}

/** The same, for addresses under which `/v1` lies. */
export function baseAddress(value: string): Read<string> {
  const address = webAddress(value)
  return address.ok && address.value.endsWith('/v1') ? bad('is given without /v1 at its end') : address
}

/** The same, for addresses of the whole gateway: its pages and links stand at the root of a host. */
export function rootAddress(value: string): Read<string> {
  const address = baseAddress(value)
  if (!address.ok || new URL(address.value).pathname === '/') return address
  return bad(
    'must be an address without a path: the console, /v1 and /files stand at the root of a host, so give the gateway a host name of its own',
  )
}

/** An address of a server in one of these schemes. The text stays as it is: its drivers read more forms than `new URL` does. */
export const serverAddress =
  (...schemes: string[]) =>
  (value: string): Read<string> =>
    schemes.some((scheme) => value.startsWith(`${scheme}://`)) ? good(value) : bad(`must start with ${schemes.join(':// or ')}://`)

/** Where an S3-compatible store keeps files: `s3://bucket/prefix?endpoint=…&region=…`. */
export type BucketAddress = { bucket: string; prefix: string; endpoint: string | null; region: string | null }

export function bucketAddress(value: string): Read<BucketAddress> {
  const url = URL.parse(value)
  if (url === null || url.protocol !== 's3:' || url.hostname === '') return bad('must look like s3://bucket?endpoint=https://…&region=…')
  if (url.username !== '' || url.password !== '')
    return bad('takes no credentials: they are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'endpoint' && name !== 'region')
  if (unknown !== undefined || url.port !== '' || url.hash !== '') return bad('takes only a bucket, a prefix, endpoint and region')
  const endpoint = url.searchParams.get('endpoint')
  const address = endpoint === null ? good(null) : webAddress(endpoint)
  if (!address.ok) return bad(`has an endpoint that ${address.problem}`)
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  return good({ bucket: url.hostname, prefix, endpoint: address.value, region: url.searchParams.get('region') })
}

/** A range of addresses such as `10.0.0.0/8`, or a single address, as both proxies and webhooks take them. */
export function cidr(value: string): Read<string> {
  const [address = '', length, ...rest] = value.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  const lengthFits = length === undefined || (/^[0-9]{1,3}$/.test(length) && Number(length) <= bits)
  if (isIP(address) === 0 || rest.length > 0 || !lengthFits)
    return bad(`has ${JSON.stringify(value)}, which is no address or range such as 10.0.0.0/8`)
  return good(value)
}

export function secretKey(value: string): Read<SecretKey> {
  const key = parseSecretKey(value)
  return key === null ? bad('must be 32 bytes in base64: make one with openssl rand -base64 32') : good(key)
}

/** The certificates in a file, as PEM text. */
export function certificateFile(path: string): Read<string> {
  const content = readText(path)
  if (!content.ok) return content
  return content.value.includes('-----BEGIN CERTIFICATE-----') ? content : bad(`names ${path}, which has no certificate in PEM form`)
}

/** The text of a file that a setting names. */
export function readText(path: string): Read<string> {
  try {
    return good(readFileSync(path, 'utf8'))
  } catch (error) {
    return bad(`names ${path}, which cannot be read (${error instanceof Error && 'code' in error ? error.code : String(error)})`)
  }
}
