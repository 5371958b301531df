import type { Span } from './text-view'

const longRun = /[A-Za-z0-9+/_=-]{32,}/g

/**
 * Finds long runs that look random: hexadecimal, padded base64, or a segment between slashes that mixes digits and both
 * cases. `code`: hashes, and names that are made of words, stay.
 */
export function findRandomRuns(text: string, code: boolean): Span[] {
  const spans: Span[] = []
  for (const { index, 0: run } of text.matchAll(longRun)) {
    const rest = code ? run.replace(hashes, '') : run
    if (!(code && isIntegrity(run)) && isRandomRun(rest, code))
      spans.push({ start: index, end: index + run.length })
  }
  return spans
}

const hashes = /(?<![A-Za-z0-9])(?:[0-9a-f]{40}|[0-9a-f]{64})(?![A-Za-z0-9])/g

/** Returns whether the text is as long as a hash of Git, and written like one. */
export function isHash(run: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(run)
}

/** Returns whether the text is the checksum of a package, as lockfiles have it. */
function isIntegrity(run: string): boolean {
  return /^sha(?:256-[\w+/]{43}=|384-[\w+/]{64}|512-[\w+/]{86}==)$/.test(run)
}

function isRandomRun(run: string, code: boolean): boolean {
  if (/[0-9a-f]{32,}/i.test(run)) return true
  const isPadded = /^[A-Za-z0-9+/_-]{30,}={1,2}$/.test(run) && /\d/.test(run)
  if (isPadded && !(code && !isMixed(run))) return true
  return (
    run.split('/').some((part) => part.length >= 20 && isMixed(part) && !(code && isWordy(part))) ||
    run.split('=').some(isSlashedKey)
  )
}

function isMixed(part: string): boolean {
  return /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part)
}

/** Returns whether at least half of the text is in words of three small letters or more, as in the names of functions. */
function isWordy(part: string): boolean {
  const words = part.match(/[a-z]{3,}/g) ?? []
  return words.join('').length * 2 >= part.length
}

/** A secret key of AWS changes so often between digits, small, large letters and signs; words do not. */
const leastChanges = 13

function isSlashedKey(part: string): boolean {
  if (!/^[A-Za-z0-9+/]{40}$/.test(part) || !isMixed(part)) return false
  return (part.match(/[a-z]+|[A-Z]+|\d+|[+/]+/g) ?? []).length > leastChanges
}

const base64Run = /[A-Za-z0-9+/_-]{16,}={0,2}/g
const leastReadable = 0.75

/**
 * Finds base64, standard or for URLs, of texts for which `holdsSecret` is true. `hidden`: what needs no second look, in order
 * and apart from one another.
 */
export function findEncoded(
  text: string,
  hidden: readonly Span[],
  holdsSecret: (text: string) => boolean,
): Span[] {
  const spans: Span[] = []
  let next = 0
  for (const { index, 0: run } of text.matchAll(base64Run)) {
    const end = index + run.length
    while ((hidden[next]?.end ?? end) < end) next += 1
    const isHidden = (hidden[next]?.start ?? end) <= index
    if (!isHidden && decodings(run).some(holdsSecret)) spans.push({ start: index, end })
  }
  return spans
}

/** Returns what a run can mean. Other characters may stand right before the base64, so it may begin at any of four. */
function decodings(run: string): string[] {
  return [0, 1, 2, 3].flatMap((from) => {
    if (!isReadable(run, from)) return []
    return [Buffer.from(run.slice(from), 'base64').toString('latin1')]
  })
}

/** Every fourth character of base64 of ASCII is one of these; of other bytes, half of them are. */
const readable = /[A-Za-f]/

function isReadable(run: string, from: number): boolean {
  let count = 0
  let all = 0
  for (let at = from; at < run.length; at += 4) {
    all += 1
    if (readable.test(run.charAt(at))) count += 1
  }
  return count >= all * leastReadable
}
