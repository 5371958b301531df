import { countOf, formatCount } from './format'

type Place =
  | { type: 'round'; round: number }
  | { type: 'call'; round: number; tool: string }
  | { type: 'end' }

/** Returns the place of a difference in a run: "Round 2", "Round 2, list_users", "End". */
export function placeWords(place: Place): string {
  switch (place.type) {
    case 'round':
      return `Round ${place.round}`
    case 'call':
      return `Round ${place.round}, ${place.tool}`
    case 'end':
      return 'End'
    default:
      return place satisfies never
  }
}

type Trial = {
  found: number
  replayed: number
  changed: number
  noted: number
  changedToday: number
  baseline: number
  unreplayable: readonly { why: string; count: number }[]
}

/** Returns the figures of a trial as sentences, the most important first. */
export function trialSentences(trial: Trial, days: number): string[] {
  const { found, replayed, changed, noted, changedToday, baseline, unreplayable } = trial
  const period = days === 1 ? 'the last day' : `the last ${days} days`
  if (found === 0) return [`No runs in ${period}.`]
  const leftOut = unreplayable.reduce((sum, { count }) => sum + count, 0)
  const twice = changed + noted
  const some = (count: number, sentence: string) => (count > 0 ? [sentence] : [])
  return [
    `${formatCount(changed)} of ${countOf(replayed, 'run')} of ${period} would have gone otherwise.`,
    ...some(twice, baselineWords(baseline, twice)),
    ...some(
      found - replayed - leftOut,
      `Only the newest of ${countOf(found, 'run')} were replayed.`,
    ),
    ...some(noted, `${countOf(noted, 'run')} would have been noted and gone the same way.`),
    ...some(
      changedToday,
      `${countOf(changedToday, 'run')} would go otherwise today already, without this change.`,
    ),
    ...unreplayable.map(({ why, count }) => `${countOf(count, 'run')} not replayed: ${why}`),
  ]
}

/** Returns how many of the runs that were replayed twice with today's policy differed; 0 says that the result can be trusted. */
function baselineWords(baseline: number, twice: number): string {
  const differed = `Replayed twice with today's policy, ${formatCount(baseline)} of ${countOf(twice, 'run')} differed.`
  return baseline > 0 ? `${differed} Do not trust the result.` : differed
}
