/**
 * Loaded before a program (`NODE_OPTIONS=--import=…`): its wall clock is wrong by `POMBO_TEST_SKEW_MS`, while what only counts
 * milliseconds is right, as on a machine whose clock was set wrongly. SIGUSR2 makes it jump, to be as wrong the other way.
 */
const RealDate = Date
let skewMs = Number(process.env.POMBO_TEST_SKEW_MS ?? 0)
const skewedNow = () => RealDate.now() + skewMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [skewedNow()] : values, made),
  apply: () => new RealDate(skewedNow()).toString(),
  get: (target, name) => (name === 'now' ? skewedNow : Reflect.get(target, name)),
})
// The start of the process, as its wall clock told it.
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + skewMs })
process.on('SIGUSR2', () => {
  skewMs = -skewMs
  process.stdout.write('the wall clock has jumped\n')
})
