/** What a handler says of the change that it made, for the audit log: by which names it is known, and whether it came about. */
export type Deed = { about: Readonly<Record<string, string>>; failed: boolean }

const valueCharsMax = 200

/**
 * rule: inbox 3. Says what a call was about, as people know it, and whether it came to nothing though the call was answered with a success. Values that
 * are null are left out; long ones are cut at 200 characters.
 */
export function tellDeed(request: { deed: Deed | null }, about: Readonly<Record<string, string | null | undefined>>, failed = false): void {
  const told = Object.entries(about).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, [...value].slice(0, valueCharsMax).join('')]],
  )
  request.deed = { about: Object.fromEntries(told), failed }
}
