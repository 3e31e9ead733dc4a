import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endOfString, type Json, parseJson, unheldField, unstorableField } from '../../base/json.ts'
import { because, invalidField, refusal } from '../../base/refusal.ts'
import { RequestRefused } from './failure.ts'

/** Deeper than any message of upstream's; recursion over what we took in stays far from the stack's end. */
const depthMax = 100
/** More than any message has; twenty thousand fields cost the parser alone some 50 ms of everybody's time. */
const valuesMax = 5_000

/**
 * Reads JSON bodies without changing a digit, and takes an empty body of any content type for none. Everything else is a
 * 400 (rule: requests 1): other content types, compression, broken UTF-8 or JSON, what PostgreSQL cannot store, deep nesting.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) =>
    done(null, jsonOf(request, bytes as Buffer)),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, nothingOf(bytes as Buffer)))
}

/**
 * In this scope a body of any content type, of up to `bodyBytesMax`, arrives as the bytes that were sent: what a signature
 * was made over. Call it inside a `register`, because it ends JSON for the whole scope.
 */
export function readRawBodies(scope: FastifyInstance, bodyBytesMax: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, bytes, done) => done(null, bytes))
}

function nothingOf(bytes: Buffer): undefined {
  if (bytes.length === 0) return undefined
  throw invalid('A body must be JSON, with the header Content-Type: application/json.')
}

function jsonOf(request: FastifyRequest, bytes: Buffer): Json | undefined {
  if (bytes.length === 0) return undefined
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw invalid('A compressed body is not read: send it without Content-Encoding.')
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.')
  const text = bytes.toString('utf8', startsWithByteOrderMark(bytes) ? 3 : 0)
  refuseTangled(text)
  const value = parsed(text)
  // Further on null stands for no body; whoever writes it means something by it.
  if (value === null) throw invalid('The body must not be null; leave it out instead.')
  refuseUnstorable(text, value)
  refuseUnheld(text, value)
  return value
}

const notJson = 'The body is not valid JSON.'
const protoKey = 'The body has a key named __proto__, which nothing takes.'

const startsWithByteOrderMark = (bytes: Buffer) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

function parsed(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    // The parser's own words quote the body.
    throw invalid(text.includes('"__proto__"') ? protoKey : notJson)
  }
}

/** Valid UTF-8 can bring a NUL, half a surrogate pair or a hidden __proto__ only by an escape, so most bodies need no second look. */
function refuseUnstorable(text: string, value: Json): void {
  if (!text.includes('\\u')) return
  // Inside of a text these quotes would be escaped, so what is found is a key.
  if (JSON.stringify(value).includes('"__proto__":')) throw invalid(protoKey)
  const field = unstorableField(value)
  if (field !== null) {
    throw new RequestRefused(
      invalidField(field === '' ? 'body' : field, because('nul', 'must not contain NUL characters or half surrogate pairs')),
    )
  }
}

/** rule: requests 6. It would go on as null, or as zero. */
function refuseUnheld(text: string, value: Json): void {
  const field = perhapsUnheld.test(text) ? unheldField(value) : null
  if (field !== null) throw new RequestRefused(invalidField(field === '' ? 'body' : field, 'is a number that is too large or too small'))
}

/** An exponent, or a fraction after hundreds of digits. */
const perhapsUnheld = /[0-9][eE][+-]?[0-9]{2}|[0-9.]{300}/

/** Refuses what nests too deep or has too many values, before anything sees the value that takes time or stack for it. */
function refuseTangled(text: string): void {
  if (text.length <= 2 * depthMax) return
  let depth = 0
  let commas = 0
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i)
    if (char === quote) i = endOfString(text, i)
    else if (char === openBrace || char === openBracket) depth += 1
    else if (char === closeBrace || char === closeBracket) depth -= 1
    else if (char === comma) commas += 1
    if (depth > depthMax) throw invalid(`The body is nested more than ${depthMax} deep.`)
    if (commas >= valuesMax) throw invalid(`The body has more than ${valuesMax} values.`)
  }
}

const comma = 0x2c
const quote = 0x22
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const invalid = (message: string) => new RequestRefused(refusal('invalid_request', message))
