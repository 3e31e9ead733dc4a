import type { FastifyInstance } from 'fastify'
import { objectIn, refuse, textOf } from './command-body.ts'
import { fileCommands } from './control-files.ts'
import { noticeCommands } from './control-notices.ts'
import type { Simulator } from './face.ts'
import { parseJson } from './json-value.ts'
import { parseBehaviour, parseNumber, parseNumberChange, parseWabaChange } from './parse-commands.ts'
import { parseFaultRules } from './parse-faults.ts'
import { parseTemplate, parseTemplateChange } from './parse-templates.ts'
import type { World } from './world.ts'

type Paged = { Querystring: { after?: string; limit?: string } }

const PAGE_DEFAULT = 1000

/** The commands under `/_sim`. A command that makes no sense is answered with 400 and a sentence. */
export function controlRoutes(app: FastifyInstance, simulator: Simulator, world: World): void {
  historyRoutes(app, simulator, world)
  noticeCommands(app, simulator, world)
  fileCommands(app, simulator, world)
  statusRoutes(app, simulator, world)
  numberRoutes(app, simulator, world)
  templateCommands(app, simulator, world)
}

function historyRoutes(app: FastifyInstance, simulator: Simulator, world: World): void {
  app.get('/_sim', (_request, reply) => {
    const { activity, courses, recorder } = world
    const counts = { accepted: recorder.acceptedCount(), underWay: activity.underWay(), held: courses.heldCount() }
    return reply.send({ seed: simulator.seed, ...counts, undelivered: simulator.undelivered.length })
  })
  app.get<Paged>('/_sim/sends', ({ query }, reply) => reply.send({ data: simulator.sendsAfter(...pageOf(query)) }))
  app.get<Paged>('/_sim/notices', ({ query }, reply) => reply.send({ data: world.recorder.noticesAfter(...pageOf(query)) }))
  app.get<Paged>('/_sim/calls', ({ query }, reply) => reply.send({ data: world.calls.after(...pageOf(query)) }))
  app.get('/_sim/reads', (_request, reply) => reply.send({ data: simulator.reads }))
  app.get('/_sim/undelivered', (_request, reply) => reply.send({ data: simulator.undelivered }))
  app.get<{ Querystring: { timeoutMs?: string } }>('/_sim/settled', async ({ query }, reply) => {
    const settled = await simulator.settled(Number(query.timeoutMs ?? 10_000)).then(
      () => true,
      () => false,
    )
    return reply.code(settled ? 200 : 504).send({ settled, underWay: world.activity.underWay() })
  })
}

function pageOf(query: { after?: string; limit?: string }): [after: number, limit: number] {
  return [Number(query.after ?? 0) || 0, Number(query.limit ?? PAGE_DEFAULT) || PAGE_DEFAULT]
}

function statusRoutes(app: FastifyInstance, simulator: Simulator, world: World): void {
  app.get('/_sim/faults', (_request, reply) => reply.send({ faults: simulator.faultsLeft() }))
  app.post('/_sim/faults', (request, reply) => {
    const rules = parseFaultRules(parseJson(textOf(request.body)))
    if (typeof rules === 'string') return refuse(reply, rules)
    simulator.addFaults(...rules)
    return reply.send({ faults: simulator.faultsLeft() })
  })
  app.delete('/_sim/faults', (_request, reply) => {
    simulator.clearFaults()
    return reply.send({ faults: [] })
  })
  app.get('/_sim/behaviour', (_request, reply) => reply.send(world.behaviour.current))
  app.post('/_sim/behaviour', (request, reply) => {
    const changes = parseBehaviour(parseJson(textOf(request.body)))
    if (typeof changes === 'string') return refuse(reply, changes)
    simulator.change(changes)
    return reply.send(world.behaviour.current)
  })
  app.post('/_sim/statuses/release', async (request, reply) => {
    const order = objectIn(request.body)?.order ?? 'in-order'
    if (order !== 'in-order' && order !== 'reversed' && order !== 'shuffled')
      return refuse(reply, '"order" is in-order, reversed or shuffled.')
    return reply.send({ released: await simulator.releaseStatuses(order) })
  })
}

function numberRoutes(app: FastifyInstance, simulator: Simulator, world: World): void {
  app.post('/_sim/numbers', (request, reply) => {
    const number = parseNumber(parseJson(textOf(request.body)))
    return typeof number === 'string' ? refuse(reply, number) : reply.send(withoutToken(simulator.addNumber(number)))
  })
  app.post<{ Params: { id: string } }>('/_sim/numbers/:id', (request, reply) => {
    const changes = parseNumberChange(parseJson(textOf(request.body)))
    if (typeof changes === 'string') return refuse(reply, changes)
    if (!world.directory.numbers.has(request.params.id)) return reply.code(404).send({ error: 'There is no such number.' })
    return reply.send(withoutToken(simulator.changeNumber(request.params.id, changes)))
  })
  app.post<{ Params: { id: string } }>('/_sim/wabas/:id', (request, reply) => {
    const changes = parseWabaChange(parseJson(textOf(request.body)))
    if (typeof changes === 'string') return refuse(reply, changes)
    if (!world.directory.wabas.has(request.params.id)) return reply.code(404).send({ error: 'There is no such WABA.' })
    return reply.send(simulator.changeWaba(request.params.id, changes))
  })
}

function templateCommands(app: FastifyInstance, simulator: Simulator, world: World): void {
  app.get<{ Querystring: { waba_id?: string } }>('/_sim/templates', ({ query }, reply) =>
    query.waba_id === undefined ? refuse(reply, 'Give "waba_id".') : reply.send({ data: simulator.templates(query.waba_id) }),
  )
  app.post('/_sim/templates', (request, reply) => {
    const template = parseTemplate(parseJson(textOf(request.body)))
    if (typeof template === 'string') return refuse(reply, template)
    return reply.send(simulator.addTemplate(template.wabaId, template.options))
  })
  app.post<{ Params: { id: string } }>('/_sim/templates/:id', (request, reply) => {
    const change = parseTemplateChange(parseJson(textOf(request.body)))
    if (typeof change === 'string') return refuse(reply, change)
    if (world.templates.byId(request.params.id) === null) return reply.code(404).send({ error: 'There is no such template.' })
    return reply.send(simulator.changeTemplate(request.params.id, change))
  })
}

function withoutToken({ token: _token, ...rest }: { token: string }): object {
  return rest
}
