import { ok } from '../base/result.ts'
import { beginJudgement, readHistory } from '../platform/lanes/history-store.ts'
import type { Command } from './command.ts'

export const databaseCommands: readonly Command[] = [
  {
    name: 'database restored',
    meaning: 'Say that the database is a restored backup: what waits in it to be sent may have been sent, and is not sent again.',
    argument: null,
    flags: [],
    async run({ clock, withDatabase }) {
      const until = await withDatabase(async ({ database }) => {
        const { judgements } = await readHistory(database)
        return (await beginJudgement(database, clock.now(), judgements)) ?? clock.now()
      })
      return ok({
        json: { object: 'database_restored', held_until: until.toISOString() },
        text: 'What waits to be sent is not sent again. The gateway marks it when it works next; until then nothing is sent.',
      })
    },
  },
]
