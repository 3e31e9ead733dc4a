import type { FastifyInstance, FastifyRequest } from 'fastify'
import { graphCall, type Told } from './graph-call.ts'
import { parameterError, tokenError } from './graph-error.ts'
import { bearerToken, tokenLives } from './numbers.ts'
import type { World } from './world.ts'

type Params = { Params: { version: string; id: string } }
type Session = Params & { Querystring: { file_length?: string; file_type?: string; file_name?: string } }

/** Sessions under way: what is over the bound pushes out the oldest. */
const sessionsMax = 100
const types = ['image/jpeg', 'image/jpg', 'image/png', 'video/mp4', 'application/pdf']

/** The resumable upload of sample files: a session under the app's id, then the bytes under the session's, which answers a handle. */
export function sampleRoutes(app: FastifyInstance, world: World, node: string): void {
  const sessions = new Map<string, { bytes: number; type: string }>()
  let opened = 0
  app.post<Session>(`${node}/uploads`, (request, reply) =>
    graphCall(world, { call: 'sample-session', id: request.params.id, request, reply }, () => {
      if (!tokenLives(world.directory, bearerToken(request.headers.authorization))) return tokenError()
      const { file_length: length = '', file_type: type = '' } = request.query
      if (!/^[1-9][0-9]{0,9}$/.test(length)) return parameterError('The parameter file_length is required.')
      if (!types.includes(type)) return parameterError(`Param file_type must be one of {${types.join(', ')}}.`)
      opened += 1
      const id = `upload:sample${opened}`
      sessions.set(id, { bytes: Number(length), type })
      for (const oldest of sessions.keys()) if (sessions.size > sessionsMax) sessions.delete(oldest)
      return { id: `${id}?sig=s${opened}` }
    }),
  )
  app.post<Params>(node, (request, reply) =>
    graphCall(world, { call: 'sample-upload', id: request.params.id, request, reply }, () => takeBytes(request)),
  )

  function takeBytes(request: FastifyRequest<Params>): Told {
    const token = /^OAuth (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined || !tokenLives(world.directory, token)) return tokenError()
    const session = sessions.get(request.params.id)
    if (session === undefined) return parameterError('Unknown upload session.')
    if (request.headers.file_offset !== '0') return parameterError('The header file_offset is required.')
    if (Number(request.headers['content-length']) !== session.bytes) return parameterError('The upload is not as long as it said.')
    sessions.delete(request.params.id)
    return { h: `4::${Buffer.from(`${session.type} ${request.params.id}`).toString('base64url')}:ARsample` }
  }
}
