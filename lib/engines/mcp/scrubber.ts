import { redactText } from '@/lib/kernel/redaction/redact-text'
import { cleanText, visibleParts } from '@/lib/words/clean-text'
import type { ServerAddress } from './transport/server-address'

/** Shorter values, such as "1" or "true", are no secrets, and stand everywhere. */
const shortestSecret = 8
const mark = '[secret]'

/** Returns how often a value has the mark of a secret that was taken out. */
export function marksIn(value: unknown): number {
  return JSON.stringify(value).split(mark).length - 1
}

/** The most characters of what a server answers as its error (SPEC T8), and of it that are searched for other secrets. */
const mostErrorText = 2_000
const mostSearched = 64 * 1024

/** Returns what a server answered as its error without characters that nobody sees and without secrets, its own and others. */
export function errorText(text: string, scrub: (text: string) => string): string {
  const seen = visibleParts(text).map((part) => (part.type === 'text' ? part.text : ''))
  const safe = redactText(scrub(seen.join('')).slice(0, mostSearched), { hashes: true })
  if (safe.length <= mostErrorText) return safe
  return `${safe.slice(0, mostErrorText - 1)}…`.toWellFormed()
}

/** Returns the same list until another token was sent. */
type SentTokens = () => readonly string[]
const none: readonly string[] = []
/** A token that was replaced is still answered for a while. */
const mostTokens = 4

/** Returns an address whose tokens are remembered, so that they can be taken out of what its server sends. */
export function rememberTokens(address: ServerAddress): {
  address: ServerAddress
  tokens: SentTokens
} {
  if (address.type === 'stdio' || !address.token) return { address, tokens: () => none }
  const { token } = address
  let sent = none
  const remembered = async () => {
    const now = await token()
    if (now !== null && !sent.includes(now)) sent = [now, ...sent].slice(0, mostTokens)
    return now
  }
  return { address: { ...address, token: remembered }, tokens: () => sent }
}

/**
 * Returns a function that takes the secrets of a server out of a text, or out of all texts and names of a value, whose
 * control characters go, too: a secret with one of them inside is still one. `onlyLikely`: only those that look like keys,
 * because variables also hold folders and names of hosts, which results are about. `tokens`: those that were sent until now.
 */
export function scrubber(
  address: ServerAddress,
  { onlyLikely = false, tokens = () => none }: { onlyLikely?: boolean; tokens?: SentTokens } = {},
): <T>(value: T) => T {
  const own = secretsOf(address, (secret) => !onlyLikely || isLikely(secret))
  let sent = none
  let secrets = own
  const scrubText = (text: string) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, mark), cleanText(text))
  const scrub = (value: unknown): unknown => {
    if (typeof value === 'string') return scrubText(value)
    if (Array.isArray(value)) return value.map(scrub)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [scrubText(name), scrub(inner)]),
    )
  }
  // Only texts change, and they stay texts.
  return <T>(value: T) => {
    if (tokens() !== sent) {
      sent = tokens()
      secrets = longestFirst([...own, ...sent.flatMap(formsOf)])
    }
    return secrets.length === 0 ? value : (scrub(value) as T)
  }
}

/**
 * Returns the values of headers and variables, as they are and as they stand in JSON and in addresses; of "Bearer …" also
 * what follows the first word. The longest come first.
 */
function secretsOf(address: ServerAddress, isWanted: (secret: string) => boolean): string[] {
  const values = Object.values(address.type === 'stdio' ? address.environment : address.headers)
  const parts = values.flatMap((value) => [value, ...value.split(/\s+/).slice(1)])
  const secrets = parts.filter((part) => part.length >= shortestSecret && isWanted(part))
  return longestFirst(secrets.flatMap(formsOf))
}

function longestFirst(forms: readonly string[]): string[] {
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), ...encodedForms(secret)]
}

/** Returns a secret as servers echo it: in base64 also inside of a longer text, in hexadecimal, and escaped as in addresses. */
function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const escaped = encodeURIComponent(secret)
  const whole = hex.replace(/../g, '%$&')
  return [
    escaped,
    escaped.replace(/%../g, (code) => code.toLowerCase()),
    hex,
    hex.toUpperCase(),
    whole,
    whole.toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => base64Forms(bytes, offset)),
  ].filter((form) => form.length >= shortestSecret)
}

/** Returns what stands in base64 for bytes that begin at such a place of three, without the signs that others share with them. */
function base64Forms(bytes: Buffer, offset: number): string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const shared = [0, 2, 3][offset] ?? 0
  const own = text.slice(shared, Math.floor(((offset + bytes.length) * 4) / 3))
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}

/** Returns whether a value looks like a key: long, of letters and digits, and neither a folder nor an address. */
function isLikely(value: string): boolean {
  return (
    value.length >= 16 && /\d/.test(value) && /[a-z]/i.test(value) && !/^[./~]|:\/\//.test(value)
  )
}
