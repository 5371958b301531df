import { type LeftOut, ToolError } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import type { UsableSite } from '../site-resources'
import { overBudgetCode } from '../web/allowance'
import { type Asker, type Reach, readWeb, type WebAnswer } from '../web/ask-web'

const longestMs = 15_000

/** Parts that may be left out, and why. */
const leftOutWords = {
  outside: ['address', 'addresses', 'outside the site'],
  broken: ['entry', 'entries', 'no address'],
  elsewhere: ['sitemap', 'sitemaps', 'on another host, or no address'],
  entries: ['entry', 'entries', 'at most 50,000 are read'],
  sitemaps: [
    'sitemap',
    'sitemaps',
    'at most 20 that others name, no deeper ones, 50,000 entries, 20 seconds',
  ],
  refused: ['page', 'pages', 'robots.txt refuses them'],
  unread: ['page', 'pages', 'could not be read'],
  links: ['link', 'links', 'at most 50 pages, 1,000 links, 20 seconds'],
} as const
export type LeftOutKind = keyof typeof leftOutWords

/** The most failures that are told one by one. */
const mostFailures = 5

/** The run whose budget pays for reading a site, and the signal that ends it. */
export type SiteAsker = Pick<Asker, 'runId' | 'person' | 'web' | 'signal'>

/** One reading of a site: several requests, one after the other, within one time for all of them. */
export class Visit {
  /** The titles of the pages that were found, by path; "" = it is not known. */
  readonly pages = new Map<string, string>()
  /** The addresses of the sitemaps that were read. */
  readonly sitemaps: string[] = []
  /** Why, by what could not be read. */
  readonly #failures = new Map<string, string>()
  readonly #counts = new Map<LeftOutKind, number>()
  readonly #endsAt: number
  /** Ends with the run, and with the time. */
  readonly signal: AbortSignal

  constructor(
    readonly site: UsableSite,
    readonly asker: SiteAsker,
    readonly wholeMs: number,
  ) {
    this.#endsAt = performance.now() + wholeMs
    this.signal = AbortSignal.any([asker.signal, AbortSignal.timeout(wholeMs)])
  }

  /** Begins anew what time there is, for the same findings. */
  again(): Visit {
    const visit = new Visit(this.site, this.asker, this.wholeMs)
    for (const [what, why] of this.#failures) visit.#failures.set(what, why)
    for (const [kind, count] of this.#counts) visit.leaveOut(kind, count)
    return visit
  }

  get #leftMs(): number {
    return this.signal.aborted ? 0 : Math.floor(this.#endsAt - performance.now())
  }

  leaveOut(kind: LeftOutKind, count: number): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
  }

  /** The count of addresses that could not be read. */
  get failures(): number {
    return this.#failures.size
  }

  get leftOut(): LeftOut[] {
    const counted = [...this.#counts].map(([kind, count]) => {
      const [one, many, why] = leftOutWords[kind]
      return { what: countOf(count, one, many), why }
    })
    const failures = [...this.#failures].map(([what, why]) => ({ what, why }))
    const further = failures.splice(mostFailures).length
    const others =
      further > 0
        ? [{ what: countOf(further, 'other address', 'other addresses'), why: 'could not be read' }]
        : []
    return [...counted, ...failures, ...others]
  }

  /** Reads an address. Throws ToolError. */
  read(
    address: string,
    reach: Reach,
    reading: { most: number; unpacks?: boolean },
  ): Promise<WebAnswer> {
    const leftMs = Math.min(longestMs, Math.max(1, this.#leftMs))
    const asker = { ...this.asker, reach, longestMs: leftMs }
    return readWeb(address, asker, reading)
  }

  /** Notes a failure, in words unless their number says enough, and returns whether further requests may go better. Throws what ended the run. */
  failed(error: unknown, where: string, { isNamed = true } = {}): boolean {
    this.asker.signal.throwIfAborted()
    if (this.#leftMs <= 1) {
      this.#failures.set(
        'what was not read by then',
        `It took longer than ${Math.round(this.wholeMs / 1_000)} seconds`,
      )
      return false
    }
    if (!(error instanceof ToolError)) throw error
    const mayGoOn = !ending.has(error.code)
    if (isNamed || !mayGoOn) this.#failures.set(where, error.message.replace(/\.$/, ''))
    return mayGoOn
  }
}

/** After these, no other request of the same run to the same host is answered. */
const ending = new Set([overBudgetCode, 'host-failing', 'blocked', 'certificate'])
