import { formatCount } from '@/lib/words/format'

/** Which limit a run waits for that has not begun; `server`: it has its places, but no server has room. */
export const waitReasons = ['person', 'configuration', 'site', 'server'] as const
export type WaitReason = (typeof waitReasons)[number]

/** Maximum number of earlier runs in the queue that are counted. */
export const mostCounted = 1_000

/** Position of a waiting run in the queue, and the reason for waiting. */
export type Waiting = {
  for: WaitReason
  /** 1 = the next that begins of those that wait for the same; 1,001 = 1,001 or further back. */
  place: number
  reason: string
}

/** `owner`: the e-mail address of the run's person; null = the reader's own run. */
type Limited = {
  for: WaitReason
  owner: string | null
  active: number
  limit: number
  /** Number of live servers, and the number of further runs that they can take together. */
  servers: number
  room: number
}

/** Returns a sentence that says why a run waits. */
export function waitReason({ for: reason, owner, active, limit, ...free }: Limited): string {
  if (reason === 'server') return serverReason(free)
  if (reason !== 'person') {
    const who = reason === 'site' ? 'The site' : 'This configuration'
    const most = `${formatCount(limit)} ${limit === 1 ? 'run' : 'runs'}`
    const now = `${formatCount(active)} ${active === 1 ? 'is' : 'are'} active`
    return `${who} allows ${most} at a time, and ${now}.`
  }
  const whose = owner === null ? 'You have' : `${owner} has`
  const runs = `${whose} ${formatCount(active)} active ${active === 1 ? 'run' : 'runs'}`
  const its = 'the limit for one person'
  // Others differ while an admin changes the limit, and while a place is given to who is first.
  return active === limit ? `${runs}, ${its}.` : `${runs}; ${its} is ${formatCount(limit)}.`
}

function serverReason({ servers, room }: Pick<Limited, 'servers' | 'room'>): string {
  if (servers === 0) return 'No server is running.'
  return room > 0
    ? 'It has its place, and a server begins it in a moment.'
    : 'All servers are busy.'
}

/** Returns the place as words: "place 3". */
export function placeWords({ place }: Pick<Waiting, 'place'>): string {
  return place > mostCounted
    ? `behind at least ${formatCount(mostCounted)} others`
    : `place ${formatCount(place)}`
}

/** Returns a sentence with the place, and one with the reason. */
export function waitingWords(waiting: Waiting): string {
  return `Waiting: ${placeWords(waiting)}. ${waiting.reason}`
}
