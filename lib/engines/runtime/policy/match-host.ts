/** Longer texts are no addresses that anybody means. */
const longestAddress = 8_192

/** The schemes whose hosts the WHATWG URL parser reads: lower case, punycode, IPv4 in any of its forms. */
const readSchemes = /^(?:https?|wss?|ftp):/i
const otherScheme = /^[a-z][a-z0-9+.-]*:\/\//i

/**
 * Returns the host of a URL, or of a host with or without a port, as the WHATWG URL parser reads it, without a dot at its end;
 * null = it cannot be told. That is so also for a backslash, which some programs read as a slash and others as part of a name.
 */
export function hostOf(text: string): string | null {
  if (text.length > longestAddress) return null
  // The parser leaves these out.
  const written = text.replace(/[\t\n\r]/g, '').trim()
  if (written === '' || written.includes('\\')) return null
  const url = readSchemes.test(written) ? written : asWeb(written)
  if (url === null) return null
  try {
    const host = new URL(url).hostname.replace(/\.+$/, '')
    return host === '' ? null : carriedAddress(host)
  } catch {
    return null
  }
}

/** Returns the IPv4 address that an IPv6 address carries to the same host, mapped or for NAT64; other hosts as they are. */
function carriedAddress(host: string): string {
  const [, ...groups] = /^\[(?:::ffff:|64:ff9b::)([0-9a-f]+):([0-9a-f]+)\]$/.exec(host) ?? []
  if (groups.length === 0) return host
  const words = groups.map((group) => Number.parseInt(group, 16))
  return words.flatMap((word) => [word >> 8, word & 255]).join('.')
}

/** Returns the same host in a web address; null = behind its scheme, there is none. */
function asWeb(written: string): string | null {
  if (written.startsWith('//')) return `https:${written}`
  const rest = written.replace(otherScheme, '')
  return rest.startsWith('/') ? null : `https://${rest}`
}

/** `below`: it means each host that ends with it, and not itself. */
export type HostPattern = { host: string; below: boolean }

/** Reads `example.org` or `*.example.org`; null = it is neither. */
export function readHostPattern(text: string): HostPattern | null {
  const below = text.startsWith('*.')
  const name = below ? text.slice(2) : text
  const isPlain = !/[/?#@*\s]/.test(name) && !/:/.test(name.replace(/\[[^\]]*\]/, ''))
  const host = isPlain ? hostOf(name) : null
  return host === null ? null : { host, below }
}

export function fitsHost(host: string, pattern: HostPattern): boolean {
  return pattern.below ? host.endsWith(`.${pattern.host}`) : host === pattern.host
}
