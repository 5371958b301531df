const failuresToOpen = 5
const openForMs = 60_000
const mostHosts = 1_000

type Health = { failures: number; openUntil: number }

/**
 * Remembers, by host and for this process, which hosts failed again and again. After five failures in a row, a host is not
 * asked for a minute; the next failure after that begins another one.
 */
export class HostBreaker {
  readonly #hosts = new Map<string, Health>()

  constructor(readonly now: () => number = Date.now) {}

  /** Returns for how many milliseconds a host is not asked; 0 = it may be. */
  leftMs(host: string): number {
    return Math.max(0, (this.#hosts.get(host)?.openUntil ?? 0) - this.now())
  }

  /** Notes that a host answered. */
  answered(host: string): void {
    this.#hosts.delete(host)
  }

  /** Notes that a host could not be reached, took too long or said that it is broken. */
  failed(host: string): void {
    const failures = (this.#hosts.get(host)?.failures ?? 0) + 1
    const openUntil = failures >= failuresToOpen ? this.now() + openForMs : 0
    // The host that was heard of last is the last to be forgotten.
    this.#hosts.delete(host)
    this.#hosts.set(host, { failures, openUntil })
    const [oldest] = this.#hosts.keys()
    if (this.#hosts.size > mostHosts && oldest !== undefined) this.#hosts.delete(oldest)
  }
}
