import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The labels of one measure. Only names of routes, kinds and states: an id or a phone would make a series of its own. */
export type Labels = Readonly<Record<string, string | number>>

export type Measure = {
  /** Without `pombo_`; the unit comes last: `http_request_duration_seconds`. */
  name: string
  help: string
  labels?: readonly string[]
}

export type Metrics = {
  /** Adds to a total that only grows. */
  counter(measure: Measure): (labels?: Labels, by?: number) => void
  /** Counts values into buckets; each bound is inclusive, in the unit of the name. */
  histogram(measure: Measure & { buckets: readonly number[] }): (labels: Labels, value: number) => void
  /** Reads `value` at each scrape; null: nothing is known now. */
  gauge(measure: Omit<Measure, 'labels'>, value: () => number | null): void
  /** The whole page in Prometheus's text format. */
  page(): Promise<string>
  readonly contentType: string
}

const prefix = 'pombo_'

/** A registry of its own for each program, so that two in one process (a test) do not meet. Includes the measures of Node itself. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  // Fine enough to see a stall; ten times finer, which it is by itself, is half of what an idle gateway does.
  collectDefaultMetrics({ register: registry, prefix, eventLoopMonitoringPrecision: 100 })
  const base = ({ name, help, labels }: Measure) => ({ name: prefix + name, help, labelNames: [...(labels ?? [])], registers: [registry] })
  return {
    counter(measure) {
      const counter = new Counter(base(measure))
      return (labels = {}, by = 1) => counter.inc({ ...labels }, by)
    },
    histogram(measure) {
      const histogram = new Histogram({ ...base(measure), buckets: [...measure.buckets] })
      return (labels, value) => histogram.observe({ ...labels }, value)
    },
    gauge(measure, value) {
      new Gauge({
        ...base(measure),
        collect() {
          const now = value()
          if (now === null) this.remove()
          else this.set(now)
        },
      })
    },
    page: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
