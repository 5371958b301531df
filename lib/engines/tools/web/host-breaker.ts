const failuresToOpen = 5
const openForMs = 60_000
const mostKept = 1_000
/** Number of people and places that must have failed before failures of single places count for everybody. */
const fewestPeople = 2
const fewestPlaces = 3

/** The person, and the place of the host that failed: its path and query. Null: no place was reached. */
type Failure = { person: string; place: string | null }

type Health = {
  failures: number
  unreached: number
  people: ReadonlySet<string>
  places: ReadonlySet<string>
  openUntil: number
}
const healthy: Health = {
  failures: 0,
  unreached: 0,
  people: new Set(),
  places: new Set(),
  openUntil: 0,
}

/**
 * Remembers, by host and for this process, which hosts failed again and again. After five failures in a row, a host is not
 * asked for a minute; the next failure after that begins another one. Connections that failed count for everybody. Places that
 * failed count for the person who asked, and for everybody if several places failed for several people.
 */
export class HostBreaker {
  readonly #hosts = new Map<string, Health>()
  readonly #own = new Map<string, Health>()

  constructor(readonly now: () => number = Date.now) {}

  /** Returns for how many milliseconds a person may not ask a host; 0 = they may. */
  leftMs(host: string, person: string): number {
    const healths = [this.#hosts.get(host), this.#own.get(ownKey(host, person))]
    return Math.max(0, ...healths.map((health) => (health?.openUntil ?? 0) - this.now()))
  }

  /** Notes that a host answered. */
  answered(host: string, person: string): void {
    this.#hosts.delete(host)
    this.#own.delete(ownKey(host, person))
  }

  /** Notes that a host could not be reached, or that a place of it took too long, broke off or said that it is broken. */
  failed(host: string, failure: Failure): void {
    this.#note(this.#own, ownKey(host, failure.person), failure, isOften)
    this.#note(this.#hosts, host, failure, isOfHost)
  }

  #note(
    kept: Map<string, Health>,
    key: string,
    failure: Failure,
    opens: (health: Health) => boolean,
  ): void {
    const next = withFailure(kept.get(key) ?? healthy, failure)
    const health = { ...next, openUntil: opens(next) ? this.now() + openForMs : 0 }
    // Moves the entry to the end: the oldest one is forgotten first.
    kept.delete(key)
    kept.set(key, health)
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  }
}

function ownKey(host: string, person: string): string {
  return `${person} ${host}`
}

function isOften({ failures }: Health): boolean {
  return failures >= failuresToOpen
}

function isOfHost(health: Health): boolean {
  if (health.unreached >= failuresToOpen) return true
  const { people, places } = health
  return isOften(health) && people.size >= fewestPeople && places.size >= fewestPlaces
}

function withFailure(health: Health, { person, place }: Failure): Health {
  const failures = health.failures + 1
  if (place === null) return { ...health, failures, unreached: health.unreached + 1 }
  const people = withOne(health.people, person, fewestPeople)
  const places = withOne(health.places, place, fewestPlaces)
  return { ...health, failures, people, places }
}

/** Adds to a set that has no use for more than `enough`. */
function withOne(set: ReadonlySet<string>, one: string, enough: number): ReadonlySet<string> {
  return set.size >= enough ? set : new Set(set).add(one)
}
