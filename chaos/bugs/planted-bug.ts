/** A small mistake that somebody could make, and the suites that must notice it. Paths begin at the root of the project. */
export type PlantedBug = {
  name: string
  /** The promise that it breaks: an invariant of the crash loop (`I1`) or a rule of `docs/rules.md`, and its words. */
  breaks: string
  file: string
  /** Occurs exactly once in the file. */
  find: string
  replace: string
  /** The quickest suites that fail with it. */
  caughtBy: readonly string[]
}
