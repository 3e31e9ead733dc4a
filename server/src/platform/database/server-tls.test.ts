import { checkServerIdentity } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { serverConnection } from './server-tls.ts'

const bare = 'postgres://pombo:p@db.example/pombo'
const authority = '-----BEGIN CERTIFICATE-----'

describe('what is asked of the database server', () => {
  test.each([
    ['require', { rejectUnauthorized: false }],
    ['prefer', { rejectUnauthorized: false }],
    ['no-verify', { rejectUnauthorized: false }],
    ['verify-full', { rejectUnauthorized: true, checkServerIdentity }],
    ['disable', false],
  ])('sslmode=%s is what PostgreSQL means by it, and the driver has nothing to warn of', (mode, ssl) => {
    expect(serverConnection(`${bare}?sslmode=${mode}`, null)).toEqual({ connectionString: bare, ssl })
  })

  test('with an authority the server is checked, with its name unless the mode says otherwise', () => {
    expect(serverConnection(bare, authority).ssl).toEqual({ ca: authority, rejectUnauthorized: true, checkServerIdentity })
    for (const mode of ['require', 'verify-ca']) {
      const { ssl } = serverConnection(`${bare}?sslmode=${mode}`, authority)
      expect(ssl).toMatchObject({ ca: authority, rejectUnauthorized: true })
      expect((ssl || undefined)?.checkServerIdentity?.('other.example', {} as never)).toBeUndefined()
    }
  })

  test('an address that says nothing is left as it is, and other parameters stay', () => {
    expect(serverConnection(bare, null)).toEqual({ connectionString: bare })
    expect(serverConnection(`${bare}?sslmode=require&application_name=x`, null).connectionString).toBe(`${bare}?application_name=x`)
    expect(serverConnection(`${bare}?sslmode=require&sslrootcert=/ca.pem`, null)).toEqual({
      connectionString: `${bare}?sslmode=require&sslrootcert=%2Fca.pem&uselibpqcompat=true`,
    })
  })
})
