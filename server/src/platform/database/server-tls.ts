import { type ConnectionOptions, checkServerIdentity } from 'node:tls'

/** What the driver takes: an address that says nothing of TLS, and what is asked of the server. */
export type ServerConnection = { connectionString: string; ssl?: false | ConnectionOptions }

/** What an address may say of certificates by itself. */
const certificateParameters = ['sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'uselibpqcompat']

/**
 * A database by its address and, in PEM form, the certificates of its authority. `sslmode` means what PostgreSQL's own tools mean by it: `require`
 * encrypts and, without an authority, believes any server; `verify-ca` checks who signed; `verify-full` also checks the name. With an authority
 * and no `sslmode` it is `verify-full`. An address with certificates of its own is left to the driver, under the same meanings.
 */
export function serverConnection(address: string, authority: string | null): ServerConnection {
  const url = URL.parse(address)
  if (url === null) return { connectionString: address }
  const mode = url.searchParams.get('sslmode')
  if (certificateParameters.some((name) => url.searchParams.has(name))) {
    if (authority === null) url.searchParams.set('uselibpqcompat', 'true')
    return { connectionString: url.href }
  }
  url.searchParams.delete('sslmode')
  const ssl = tlsOf(mode ?? (authority === null ? null : 'verify-full'), authority)
  return ssl === null ? { connectionString: address } : { connectionString: url.href, ssl }
}

function tlsOf(mode: string | null, authority: string | null): false | ConnectionOptions | null {
  const ca = authority === null ? {} : { ca: authority }
  switch (mode) {
    case 'disable':
      return false
    case 'prefer':
    case 'require':
    case 'no-verify':
      // As libpq: whoever gives an authority wants it checked.
      return authority === null || mode === 'no-verify' ? { rejectUnauthorized: false } : { ...ca, ...anyName }
    case 'verify-ca':
      return { ...ca, ...anyName }
    case 'verify-full':
      return { ...ca, rejectUnauthorized: true, checkServerIdentity }
    default:
      return null
  }
}

const anyName: ConnectionOptions = { rejectUnauthorized: true, checkServerIdentity: () => undefined }
