import { z } from 'zod'

/** The code of a call that was refused because the host of its address is not listed. */
export const hostNotListed = 'host-not-listed'

/** The longest origin that may be listed: the name of an object has no more characters. */
const mostCharacters = 100
/** The longest address that a tool asks for. */
const mostUrlCharacters = 4_000

const anyBelow = '*.'
/** Stands in for `*` while an origin is parsed, because no host may have that sign. */
const standIn = 'any-host-below.'

/** Characters that a URL parser drops or changes silently, and that people and other programs read in another way. */
const misleading = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\\]/u
const noHttp = 'It does not start with https:// or http://.'

/** An address that is taken apart, or why it cannot be used: a sentence that does not repeat it. */
export type ParsedAddress = { url: URL } | { refusal: string }

/**
 * Takes apart an address that a model, a page or a person gave. The host is in lower case and punycode, without a dot at its
 * end; the fragment is gone. Refuses what is read in more than one way.
 */
export function parseWebAddress(text: string): ParsedAddress {
  if (text.length > mostUrlCharacters) return { refusal: 'It is longer than 4,000 characters.' }
  if (misleading.test(text)) {
    return { refusal: 'It has spaces, backslashes or invisible characters.' }
  }
  if (!/^https?:\/\//i.test(text)) return { refusal: noHttp }
  // With a third slash, the parser would take the path for the host.
  const url = /^https?:\/\/[/?#:]/i.test(text) ? null : urlOf(text)
  if (url === null) return noHost
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? ''
  if (authority.includes('@')) return { refusal: 'It has a user name or a password in it.' }
  if (authority.includes('%')) return noHost
  url.hash = ''
  if (!url.hostname.endsWith('.')) return isHost(url.hostname) ? { url } : noHost
  url.hostname = url.hostname.slice(0, -1)
  return isHost(url.hostname) ? { url } : noHost
}

/** Returns the address; null = it is none. `URL.canParse` of Node 20, once it is compiled, refuses names such as "bücher". */
function urlOf(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

const noHost: ParsedAddress = { refusal: 'It has no valid host.' }

/** Returns whether a host, as a URL has it, is an IPv6 address or labels that a name may have. */
function isHost(host: string): boolean {
  return host.startsWith('[') || host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}

/**
 * Returns what may be listed for an address, the most exact first: its own origin, then `https://*.` with each name above
 * its host. An IP address is below nothing.
 */
export function originsFor(url: URL): string[] {
  const { protocol, hostname, port, origin } = url
  if (isAddress(hostname)) return [origin]
  const labels = hostname.split('.')
  // `*` stands below a domain with a dot, so the last name is left out.
  const above = labels.slice(2).map((_, index) => labels.slice(index + 1).join('.'))
  const end = port === '' ? '' : `:${port}`
  return [origin, ...above.map((name) => `${protocol}//${anyBelow}${name}${end}`)]
}

/** Returns whether a host as a URL has it is an IP address. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname)
}

const example =
  'Enter an origin such as https://example.org, or https://*.example.org for all hosts below it.'

/** Returns an origin that may be listed in its one form; otherwise what is wrong with it. */
function parseOrigin(text: string): { origin: string } | { refusal: string } {
  const starred = /^(https?:\/\/)\*\./i.exec(text)
  const plain = starred ? text.replace(anyBelow, standIn) : text
  const parsed = parseWebAddress(plain)
  if ('refusal' in parsed) return { refusal: `${parsed.refusal} ${example}` }
  const { url } = parsed
  if (url.pathname !== '/' || url.search !== '' || /[?#]/.test(text)) {
    return { refusal: `It has more than a scheme, a host and a port. ${example}` }
  }
  if (!starred) return { origin: url.origin }
  const below = url.hostname.slice(standIn.length)
  if (!below.includes('.') || isAddress(below) || /^[\d.]+$/.test(below)) {
    return {
      refusal: `Below * there must be a domain with a dot, such as *.example.org. ${example}`,
    }
  }
  return { origin: url.origin.replace(standIn, anyBelow) }
}

/** Returns whether an origin stands for all hosts below a name. */
export function standsForMany(origin: string): boolean {
  return origin.includes(`//${anyBelow}`)
}

/** The origin of hosts that tools may read, in its one form: lower case, punycode, without the usual port. */
export const WebOrigin = z
  .string()
  .trim()
  .overwrite((text) => {
    const parsed = parseOrigin(text)
    return 'origin' in parsed ? parsed.origin : text
  })
  .superRefine((text, issues) => {
    const parsed = parseOrigin(text)
    if ('refusal' in parsed) issues.addIssue({ code: 'custom', message: parsed.refusal })
  })
  .max(mostCharacters, `An origin has at most ${mostCharacters} characters.`)
