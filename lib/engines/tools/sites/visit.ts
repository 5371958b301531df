import { countOf } from '@/lib/protocol/format'
import { ToolError } from '@/lib/protocol/tool'
import type { UsableSite } from '../site-resources'
import { overBudgetCode } from '../web/allowance'
import { type Asker, type Reach, readWeb, type WebAnswer } from '../web/ask-web'

const longestMs = 15_000

/** What was left out, by why, in words that follow a number. */
const leftOutWords = {
  outside: ['address outside the site', 'addresses outside the site'],
  entries: ['entry beyond the first 50,000', 'entries beyond the first 50,000'],
  sitemaps: ['further sitemap that was not read', 'further sitemaps that were not read'],
  refused: ['page that robots.txt refuses', 'pages that robots.txt refuses'],
  unread: ['page that could not be read', 'pages that could not be read'],
  links: ['link that was not followed', 'links that were not followed'],
} as const
export type LeftOut = keyof typeof leftOutWords

/** Who reads a site: the run whose budget pays, and what ends it. */
export type SiteAsker = Pick<Asker, 'runId' | 'person' | 'web' | 'signal'>

/** One reading of a site: several requests, one after the other, within one time for all of them. */
export class Visit {
  /** The titles of the pages that were found, by path; "" = it is not known. */
  readonly pages = new Map<string, string>()
  /** What failed, as sentences. */
  readonly trouble: string[] = []
  readonly #leftOut = new Map<LeftOut, number>()
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
    visit.trouble.push(...this.trouble)
    for (const [why, count] of this.#leftOut) visit.leaveOut(why, count)
    return visit
  }

  get #leftMs(): number {
    return this.signal.aborted ? 0 : Math.floor(this.#endsAt - performance.now())
  }

  leaveOut(why: LeftOut, count: number): void {
    if (count > 0) this.#leftOut.set(why, (this.#leftOut.get(why) ?? 0) + count)
  }

  /** What was left out, with how much of it. */
  get leftOut(): string[] {
    return [...this.#leftOut].map(([why, count]) => {
      const [one, many] = leftOutWords[why]
      return countOf(count, one, many)
    })
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
  failed(error: unknown, where: string, { isTold = true } = {}): boolean {
    this.asker.signal.throwIfAborted()
    if (this.#leftMs <= 1) {
      this.trouble.push(`It took longer than ${Math.round(this.wholeMs / 1_000)} seconds.`)
      return false
    }
    if (!(error instanceof ToolError)) throw error
    const mayGoOn = !ending.has(error.code)
    if (isTold || !mayGoOn) this.trouble.push(`${where}: ${error.message}`)
    return mayGoOn
  }
}

/** After these, no other request of the same run to the same host is answered. */
const ending = new Set([overBudgetCode, 'host-failing', 'blocked', 'certificate'])
