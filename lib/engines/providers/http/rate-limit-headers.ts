/** The rest of a rate limit as a provider reports it, and the time until it is reset. */
type LeftOver = { left: number; resetMs: number }
/** `null` = it said nothing of this kind. */
export type RateFigures = { requests: LeftOver | null; tokens: LeftOver | null }

type Row = { kind: keyof RateFigures; left: string; reset: string }

/** The headers that providers document. What they count by the day is no matter of a minute, and left out. */
const rows: readonly Row[] = [
  { kind: 'requests', left: 'x-ratelimit-remaining-requests', reset: 'x-ratelimit-reset-requests' },
  { kind: 'tokens', left: 'x-ratelimit-remaining-tokens', reset: 'x-ratelimit-reset-tokens' },
  { kind: 'requests', left: 'x-ratelimit-remaining', reset: 'x-ratelimit-reset' },
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((name) => ({
    kind: name === 'requests' ? ('requests' as const) : ('tokens' as const),
    left: `anthropic-ratelimit-${name}-remaining`,
    reset: `anthropic-ratelimit-${name}-reset`,
  })),
  {
    kind: 'requests',
    left: 'x-ratelimit-remaining-req-minute',
    reset: 'x-ratelimit-reset-req-minute',
  },
  {
    kind: 'tokens',
    left: 'x-ratelimit-remaining-tokens-minute',
    reset: 'x-ratelimit-reset-tokens-minute',
  },
]

/** When nothing says how long it counts. */
const usualResetMs = 60_000
/** More than this is not believed: a key would be left alone for a slip of a provider. */
const longestResetMs = 10 * 60_000
const mostLeft = 2_000_000_000

/** Reads what the headers of an answer say is left of the limits of its key; the least of each kind. */
export function rateFigures(headers: Record<string, string>, now: number): RateFigures {
  const figures: RateFigures = { requests: null, tokens: null }
  for (const { kind, left: name, reset } of rows) {
    const left = countOf(headers[name])
    if (left === null) continue
    const known = figures[kind]
    if (known && known.left <= left) continue
    figures[kind] = { left, resetMs: resetOf(headers[reset], now) }
  }
  return figures
}

function countOf(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? ''
  return /^\d{1,15}$/.test(trimmed) ? Math.min(Number(trimmed), mostLeft) : null
}

const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }
const lengths = /^(?:\d+(?:\.\d+)?(?:ms|h|m|s))+$/
const length = /(\d+(?:\.\d+)?)(ms|h|m|s)/g
/** Bare figures above this are a moment and no length of time: seconds, or ms, since 1970. */
const firstMoment = 1_000_000_000

/** Parses `6m0s`, `120ms`, seconds, a time since 1970 in seconds or ms, or an RFC 3339 date. */
function resetOf(text: string | undefined, now: number): number {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '' || trimmed.length > 64) return usualResetMs
  const ms = lengths.test(trimmed) ? lengthOf(trimmed) : momentOf(trimmed, now)
  return Number.isFinite(ms) ? Math.round(Math.min(Math.max(ms, 0), longestResetMs)) : usualResetMs
}

function lengthOf(text: string): number {
  return [...text.matchAll(length)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0),
    0,
  )
}

function momentOf(text: string, now: number): number {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return Date.parse(text) - now
  const figure = Number(text)
  if (figure < firstMoment) return figure * 1_000
  return (figure < firstMoment * 1_000 ? figure * 1_000 : figure) - now
}
