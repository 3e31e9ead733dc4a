import type { EventRow, Evidence, ToldAct } from '../evidence.ts'

/** Told of what a person did to a message; judged here and nowhere else. */
export const isActEvent = (type: string): boolean => type in kinds

const kinds: Readonly<Record<string, ToldAct['act']['kind']>> = {
  'message.reaction': 'reaction',
  'message.edited': 'edit',
  'message.deleted': 'deletion',
}

const byTime = (acts: readonly ToldAct[]) => acts.toSorted((a, b) => a.at.getTime() - b.at.getTime())
const actsOn = ({ acts }: Evidence, target: string, kind: ToldAct['act']['kind']) =>
  byTime(acts.filter((each) => each.target === target && each.act.kind === kind))

/** I7: a message that a person wrote says what they last wanted it to say, whatever order it was told in; once deleted, nothing. */
export function wordsAreNewest(evidence: Evidence): string[] {
  return evidence.rows.messages.flatMap(({ direction, label, text, kind }) => {
    if (direction === 'outbound') return []
    const isWritten = evidence.inbound.some((each) => each.label === label)
    const edit = actsOn(evidence, label, 'edit').at(-1)?.act
    const words = edit?.kind === 'edit' ? edit.text : isWritten ? label : null
    const wanted = actsOn(evidence, label, 'deletion').length > 0 ? null : words
    return [
      ...(text === wanted ? [] : [`${label} says "${text}", not "${wanted}"`]),
      ...((kind === 'placeholder') === isWritten ? [`${label} is a ${kind} though its original was ${isWritten ? '' : 'never '}told`] : []),
    ]
  })
}

/** I7: what each person thinks of each message is the last thing that they did to it, and is kept once. */
export function reactionsAreNewest(evidence: Evidence): string[] {
  const wanted = new Map(reactions(evidence).map(({ target, person, act }) => [`${target} of ${person}`, act.emoji]))
  const found = Map.groupBy(evidence.rows.reactions, ({ label, person }) => `${label} of ${person}`)
  return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((place) => {
    const emojis = (found.get(place) ?? []).map((each) => each.emoji)
    return emojis.join() === (wanted.get(place) ?? 'none') && emojis.length === 1 ? [] : [`reactions to ${place} are ${emojis.join()}`]
  })
}

const reactions = ({ acts }: Evidence) => byTime(acts).flatMap(({ act, ...each }) => (act.kind === 'reaction' ? [{ ...each, act }] : []))

/** I8: each act is told at most once and in its order, the last one in any case, and nothing after a deletion brings words back. */
export function actsAreTrue(evidence: Evidence): string[] {
  const byLabel = Map.groupBy(evidence.rows.events, (each) => each.label)
  const targets = new Set([...byLabel.keys(), ...evidence.acts.map((each) => each.target)])
  return [...targets].flatMap((target) => {
    const events = byLabel.get(target) ?? []
    return [...wrongEdits(evidence, target, events), ...wrongReactions(evidence, target, events)].map((words) => `${target} ${words}`)
  })
}

function wrongEdits(evidence: Evidence, target: string, events: readonly EventRow[]): string[] {
  const edits = actsOn(evidence, target, 'edit').map(({ act }) => (act.kind === 'edit' ? act.text : null))
  const told = events.filter((each) => each.type === 'message.edited').map((each) => each.text)
  const deletions = events.filter((each) => each.type === 'message.deleted').length
  const wanted = actsOn(evidence, target, 'deletion').length > 0 ? 1 : 0
  const deletedFrom = events.findIndex((each) => each.type === 'message.deleted')
  const spokenAfter = deletedFrom === -1 ? [] : events.slice(deletedFrom).filter((each) => each.text !== null)
  const problems = wanted === deletions ? [] : [`was told as deleted ${deletions} times, not ${wanted}`]
  if (spokenAfter.length > 0) problems.push(`spoke after its deletion: ${spokenAfter.map((each) => each.type).join()}`)
  if (!isPartInOrder(told, edits)) problems.push(`was told as edited to [${told.join()}], of [${edits.join()}]`)
  else if (wanted === 0 && told.at(-1) !== edits.at(-1)) problems.push(`was not told as edited to ${edits.at(-1)}`)
  return problems
}

function wrongReactions(evidence: Evidence, target: string, events: readonly EventRow[]): string[] {
  const told = Map.groupBy(
    events.flatMap(({ reaction }) => (reaction === null ? [] : [reaction])),
    (each) => each.person,
  )
  const done = Map.groupBy(
    reactions(evidence).filter((each) => each.target === target),
    (each) => each.person,
  )
  return [...new Set([...told.keys(), ...done.keys()])].flatMap((person) => {
    const found = (told.get(person) ?? []).map(({ emoji, atMs }) => `${emoji} at ${atMs}`)
    const wanted = (done.get(person) ?? []).map(({ act, at }) => `${act.emoji} at ${at.getTime()}`)
    return isPartInOrder(found, wanted) && found.at(-1) === wanted.at(-1)
      ? []
      : [`was told with the reactions [${found.join()}] of ${person}, of [${wanted.join()}]`]
  })
}

/** Each of the whole at most once, in its order. */
function isPartInOrder<Item>(part: readonly Item[], whole: readonly Item[]): boolean {
  let from = 0
  return part.every((each) => {
    const place = whole.indexOf(each, from)
    from = place + 1
    return place !== -1
  })
}
