/** Until when a conversation may be put off, from now, in the reader's time zone. Pure. */
export function snoozeTimes(now: Date): { name: 'hour' | 'tomorrow' | 'monday'; until: Date }[] {
  const morning = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9)
  return [
    { name: 'hour', until: new Date(now.getTime() + 3_600_000) },
    { name: 'tomorrow', until: morning(1) },
    { name: 'monday', until: morning((8 - now.getDay()) % 7 || 7) },
  ]
}
