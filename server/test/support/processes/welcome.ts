/** What the sandbox prints at its start, read as a person reads it. Keys are null at later starts. */
export type Welcome = { url: string; console: string | null; liveKey: string | null; testKey: string | null; curl: string }

export function readWelcome(printed: string): Welcome {
  const found = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? null
  return {
    url: found(/API +(http:\S+)\/v1/) ?? '',
    console: found(/Console +(http:\S+)/),
    liveKey: found(/Live key +(\S+)/),
    testKey: found(/Test key +(\S+)/),
    // From the command to the first line that does not go on.
    curl: found(/^( *curl (?:.*\\\n)*.*)$/m) ?? '',
  }
}
