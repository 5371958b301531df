import { findNamed } from './named-secrets'
import { findEncoded, findRandomRuns, isHash } from './random-runs'
import { findAuthorizations, findKeys, findPem, findUserInfo } from './secret-shapes'
import {
  foldsOf,
  originalSpan,
  type Span,
  type TextView,
  unescapedView,
  unfoldedView,
} from './text-view'

export const REDACTED = '[redacted]'

/** `hashes`: for the text of files and programs. Hashes of Git stay, and code, such as `token: string`. */
type Options = { hashes?: boolean }

/**
 * Replaces what looks like a secret, by its own shape or by the name beside it: issued keys (`sk-…`, `AKIA…`), PEM blocks,
 * JWTs, user info in addresses, authorization and cookie headers, `password=…`, `--token …`, and long random-looking runs;
 * each also in base64, escaped as in URLs, or folded over lines. Text without secrets comes back unchanged. Time grows
 * linearly with the text.
 */
export function redactText(text: string, { hashes = false }: Options = {}): string {
  return replaced(text, secretSpans(text, hashes))
}

/** Replaces what looks like a secret in lines that make one text. Each stays a line. */
export function redactLines(lines: readonly string[], { hashes = false }: Options = {}): string[] {
  const spans = secretSpans(lines.join('\n'), hashes)
  if (spans.length === 0) return [...lines]
  let next = 0
  let start = 0
  return lines.map((line) => {
    const end = start + line.length
    const own: Span[] = []
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1
    for (let index = next; (spans[index]?.start ?? end) < end; index++) {
      const span = spans[index] ?? { start, end: start }
      own.push({ start: Math.max(span.start, start) - start, end: Math.min(span.end, end) - start })
    }
    start = end + 1
    return replaced(line, own)
  })
}

/**
 * Returns a part of a text, in which what looks like a secret is replaced. What is around the part is looked at, too, so that none is
 * shown that begins before it or ends after it.
 */
export function redactPart(text: string, { start, end }: Span): string {
  const spans = hiddenSpans(text).flatMap((span) => {
    const [from, to] = [Math.max(span.start, start) - start, Math.min(span.end, end) - start]
    return from < to ? [{ start: from, end: to }] : []
  })
  return replaced(text.slice(start, end), spans)
}

/** Returns where a text of a file has what looks like a secret, in order and apart from one another. */
export function hiddenSpans(text: string): Span[] {
  return secretSpans(text, true)
}

function replaced(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const parts: string[] = []
  let from = 0
  for (const { start, end } of spans) {
    if (start === end) continue
    parts.push(text.slice(from, start), REDACTED)
    from = end
  }
  return [...parts, text.slice(from)].join('')
}

/** Returns what to hide of a text, in order and apart from one another. */
function secretSpans(text: string, code: boolean): Span[] {
  const folds = foldsOf(text)
  const plain = extendedAll(text, merged(scan(text, code)), folds)
  const unfolded = unfoldedView(text, folds)
  const inFolds = unfolded ? scanView(unfolded, code, (span) => !hasHashLine(text, span, code)) : []
  const escaped = unfolded ? [null, unfolded] : [null]
  const inEscapes = escaped.flatMap((below) => {
    const unescaped = unescapedView(below?.text ?? text, below)
    return unescaped ? scanView(unescaped, code, () => true) : []
  })
  return merged([...plain, ...inFolds, ...inEscapes])
}

function scanView(view: TextView, code: boolean, isWanted: (span: Span) => boolean): Span[] {
  return scan(view.text, code)
    .map((span) => originalSpan(view, span))
    .filter(isWanted)
}

function scan(text: string, code: boolean): Span[] {
  const found = scanWritten(text, code)
  const holdsSecret = (decoded: string) => scanWritten(decoded, code).length > 0
  return [...found, ...findEncoded(text, merged(found), holdsSecret)]
}

function scanWritten(text: string, code: boolean): Span[] {
  return [
    ...findPem(text),
    ...findUserInfo(text, code),
    ...findKeys(text, code),
    ...findAuthorizations(text, code),
    ...findNamed(text, code),
    ...findRandomRuns(text, code),
  ]
}

/** Returns whether a part of a text that was put together from lines has a hash on a line of its own. */
function hasHashLine(text: string, { start, end }: Span, code: boolean): boolean {
  if (!code || end - start > 64 * 1024) return false
  const pieces = text.slice(start, end).split(/[\s"',\\]+/)
  return pieces.length > 1 && pieces.some(isHash)
}

const rest = /[A-Za-z0-9+/_=.~%-]*/y

/** Returns the parts with what follows them on the next lines, where they end at a fold. */
function extendedAll(text: string, spans: readonly Span[], folds: readonly Span[]): Span[] {
  let last = 0
  return spans.map(({ start, end }) => {
    // A span that ends inside the one before it ends where that one does.
    if (end > last) last = extendedEnd(text, end, folds)
    return { start, end: last }
  })
}

function extendedEnd(text: string, end: number, folds: readonly Span[]): number {
  let last = end
  for (let fold = foldAt(folds, last); fold; fold = foldAt(folds, last)) {
    rest.lastIndex = fold.end
    last = fold.end + (rest.exec(text)?.[0].length ?? 0)
  }
  return last
}

function foldAt(folds: readonly Span[], at: number): Span | null {
  let [low, high] = [0, folds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((folds[middle]?.start ?? 0) < at) low = middle + 1
    else high = middle
  }
  const found = folds[low]
  return found?.start === at ? found : null
}

function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const last = result.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else if (span.end > span.start) result.push({ ...span })
  }
  return result
}
