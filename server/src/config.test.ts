import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigProblems, type Environment, readConfig } from './config.ts'

const key = Buffer.alloc(32, 1).toString('base64')
let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'pombo-config-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

function fileWith(text: string): string {
  const path = join(directory, `${Math.trunc(performance.now() * 1000)}`)
  writeFileSync(path, text)
  return path
}

function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems
    throw error
  }
}

describe('with nothing set', () => {
  test('the sandbox runs on loopback with the bundled database, and private webhooks are allowed', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:8080',
      altPublicUrl: null,
      filesUrl: 'http://localhost:8080',
      trustProxy: [],
      dataDir: './data',
      databaseCa: null,
      databaseFailover: 'lossy',
      drainSeconds: 0,
      databaseUrl: null,
      redisUrl: null,
      storage: null,
      secretKey: null,
      upstream: 'sandbox',
      metaGraphUrl: 'https://graph.facebook.com',
      metaGraphVersion: 'v25.0',
      metaAppId: null,
      metaAppSecrets: [],
      metaVerifyToken: null,
      roles: ['api', 'worker', 'console'],
      smtpUrl: null,
      mailFrom: 'Pombo <pombo@localhost>',
      allowPrivateWebhooks: true,
      webhookAllowCidrs: [],
      webhookCa: null,
      rateLimitPerKey: 600,
      rateLimitPerAccount: 1200,
      sendsPerSecond: 50,
      retainDeliveriesDays: 30,
      retainNoticesDays: 7,
      metricsToken: null,
      logLevel: 'info',
    })
  })

  test('variables that are not ours, also such as look like ours, are no error', () => {
    expect(readConfig({ PATH: '/bin', POMBO_COLOUR: 'blue', PUBLIC_URLS: 'x' })).toEqual(readConfig({}))
  })

  test('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', METRICS_TOKEN: '' })).toEqual(readConfig({}))
  })
})

describe('mistakes', () => {
  test('are all reported together, one a line, and never show the value of a secret', () => {
    const problems = problemsOf({ PORT: '80a', ALLOW_PRIVATE_WEBHOOKS: 'yes', SECRET_KEY: 'hunter2', LOG_LEVEL: 'loud' })
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['PORT', 'SECRET_KEY', 'ALLOW_PRIVATE_WEBHOOKS', 'LOG_LEVEL'])
    expect(new ConfigProblems(problems).message.split('\n')).toEqual(problems)
    expect(problems.join()).not.toContain('hunter2')
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '8080.5'],
    ['PUBLIC_URL', 'example.com'],
    ['PUBLIC_URL', 'https://example.com/v1'],
    ['PUBLIC_URL', 'https://example.com/v1/'],
    ['PUBLIC_URL', 'https://example.com/?a=b'],
    ['PUBLIC_URL', 'https://example.com/pombo'],
    ['ALT_PUBLIC_URL', 'https://example.com/pombo/'],
    ['ALT_PUBLIC_URL', 'ftp://example.com'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1,,10.0.0.2'],
    ['WEBHOOK_ALLOW_CIDRS', 'internal'],
    ['WEBHOOK_ALLOW_CIDRS', '::1/129'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/8/8'],
    ['DATABASE_URL', 'mysql://x'],
    ['REDIS_URL', 'http://x'],
    ['UPSTREAM', 'Meta'],
    ['META_APP_SECRET', 'a,b,c'],
    ['META_GRAPH_VERSION', '25'],
    ['ROLES', 'api,janitor'],
    ['ALLOW_PRIVATE_WEBHOOKS', 'TRUE'],
    ['ALLOW_PRIVATE_WEBHOOKS', '1'],
    ['WEBHOOK_CA_FILE', '/nowhere/ca.pem'],
    ['RATE_LIMIT_PER_KEY', '0'],
    ['RETAIN_NOTICES_DAYS', 'for ever'],
    ['SECRET_KEY', 'c2hvcnQ='],
    ['LOG_LEVEL', 'warning'],
  ])('%s=%s is refused, and the message names the setting', (name, value) => {
    const problems = problemsOf({ SECRET_KEY: key, META_APP_SECRET: 'a', [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} `))
  })

  test('a certificate file without a certificate is refused', () => {
    expect(problemsOf({ WEBHOOK_CA_FILE: fileWith('hello') })).toEqual([expect.stringContaining('has no certificate in PEM form')])
  })
})

describe('a …_FILE twin', () => {
  test('gives its text, less one newline at its end', () => {
    expect(readConfig({ METRICS_TOKEN_FILE: fileWith('token\n') }).metricsToken).toBe('token')
    expect(readConfig({ METRICS_TOKEN_FILE: fileWith('token\r\n') }).metricsToken).toBe('token')
    expect(readConfig({ METRICS_TOKEN_FILE: fileWith(' token\n\n') }).metricsToken).toBe(' token\n')
  })

  test('counts as set: META_APP_SECRET_FILE makes the upstream meta', () => {
    expect(readConfig({ META_APP_SECRET_FILE: fileWith('one, two\n') })).toMatchObject({ upstream: 'meta', metaAppSecrets: ['one', 'two'] })
  })

  test('beside the variable itself is an error', () => {
    expect(problemsOf({ METRICS_TOKEN: 'a', METRICS_TOKEN_FILE: fileWith('b') })).toEqual([
      'METRICS_TOKEN and METRICS_TOKEN_FILE are both set: keep one of them',
    ])
  })

  test('that names a missing file is an error which names variable and file', () => {
    const [problem] = problemsOf({ METRICS_TOKEN_FILE: '/nowhere/token' })
    expect(problem).toContain('METRICS_TOKEN_FILE')
    expect(problem).toContain('/nowhere/token')
    expect(problem).toContain('ENOENT')
  })
})

describe('defaults that follow from other settings', () => {
  test('the upstream is meta when there is an app secret, unless the sandbox is asked for', () => {
    expect(readConfig({ META_APP_SECRET: 's' }).upstream).toBe('meta')
    expect(readConfig({ META_APP_SECRET: 's', UPSTREAM: 'sandbox' }).upstream).toBe('sandbox')
  })

  test('meta without an app secret is refused', () => {
    expect(problemsOf({ UPSTREAM: 'meta' })).toEqual([expect.stringMatching(/^META_APP_SECRET must be set/)])
  })

  test('production never starts the sandbox by itself', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([expect.stringMatching(/^UPSTREAM /)])
    expect(readConfig({ NODE_ENV: 'production', UPSTREAM: 'sandbox' }).upstream).toBe('sandbox')
    expect(readConfig({ NODE_ENV: 'production', META_APP_SECRET: 's' }).upstream).toBe('meta')
  })

  test('a database of its own needs a secret key', () => {
    expect(problemsOf({ DATABASE_URL: 'postgresql://db/x' })).toEqual([expect.stringMatching(/^SECRET_KEY must be set/)])
    expect(readConfig({ DATABASE_URL: 'postgresql://u@/x?host=%2Frun', SECRET_KEY: key }).secretKey).toEqual(Buffer.alloc(32, 1))
  })

  test.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['127.example.com', false],
  ])('in the sandbox on the host %s private webhooks are allowed: %s', (HOST, allowed) => {
    expect(readConfig({ HOST }).allowPrivateWebhooks).toBe(allowed)
  })

  test('private webhooks stay off with meta, and as they were set', () => {
    expect(readConfig({ META_APP_SECRET: 's' }).allowPrivateWebhooks).toBe(false)
    expect(readConfig({ META_APP_SECRET: 's', ALLOW_PRIVATE_WEBHOOKS: 'true' }).allowPrivateWebhooks).toBe(true)
    expect(readConfig({ ALLOW_PRIVATE_WEBHOOKS: 'false' }).allowPrivateWebhooks).toBe(false)
  })

  test('files have the public address, or their own', () => {
    expect(readConfig({ PUBLIC_URL: 'https://gateway.example' }).filesUrl).toBe('https://gateway.example')
    expect(readConfig({ FILES_URL: 'https://files.example/' }).filesUrl).toBe('https://files.example')
  })

  test('a store for files is a bucket, a prefix, an endpoint and a region', () => {
    const address = 's3://files/pombo/eu?endpoint=https://s3.example/&region=eu-1'
    expect(readConfig({ STORAGE_URL: address }).storage).toEqual({
      bucket: 'files',
      prefix: 'pombo/eu',
      endpoint: 'https://s3.example',
      region: 'eu-1',
    })
    expect(readConfig({ STORAGE_URL: 's3://files' }).storage).toEqual({ bucket: 'files', prefix: '', endpoint: null, region: null })
  })

  test.each(['https://s3.example', 's3://', 's3://key:secret@files', 's3://files?acl=public', 's3://files?endpoint=s3.example'])(
    'STORAGE_URL=%s is refused, and what it holds is not repeated',
    (address) => {
      const problems = problemsOf({ STORAGE_URL: address })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(/^STORAGE_URL /)
      expect(problems[0]).not.toContain('secret')
    },
  )

  test('the public address follows the port, and loses a slash at its end', () => {
    expect(readConfig({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
    expect(readConfig({ PUBLIC_URL: 'https://gateway.example/' }).publicUrl).toBe('https://gateway.example')
    expect(readConfig({ FILES_URL: 'https://cdn.example/pombo/' }).filesUrl).toBe('https://cdn.example/pombo')
  })
})
