import type { Challenge } from './site'

/** Longer headers are no challenge that a client could act on. */
const mostCharacters = 8_192
const mostScopes = 100
const longestScope = 500

/** A parameter with its value in quotes or without, or the name of a scheme, which nothing is assigned to. */
const parts =
  /([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|([\w!#$%&'*+.^`|~-]+)/g
/** RFC 6749, section 3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/**
 * Returns the first Bearer challenge of a 401 or 403; null: there is none. The kept client reads only a header that begins with
 * it, and takes a name inside of another name for its parameter.
 */
export function readChallenge(headers: { get: (name: string) => string | null }): Challenge | null {
  const header = headers.get('www-authenticate') ?? ''
  if (header.length > mostCharacters) return null
  const parameters = bearerParameters(header)
  if (parameters === null) return null
  return {
    resourceMetadataUrl: webAddress(parameters.get('resource_metadata')),
    scope: scopesIn(parameters.get('scope') ?? '').join(' ') || null,
    error: parameters.get('error') || null,
  }
}

function bearerParameters(header: string): Map<string, string> | null {
  const found = new Map<string, string>()
  let isBearer = false
  for (const match of header.matchAll(parts)) {
    const [, name, quoted, plain = '', scheme] = match
    if (scheme !== undefined && isBearer) return found
    if (scheme !== undefined) isBearer = scheme.toLowerCase() === 'bearer'
    if (name === undefined || !isBearer || found.has(name.toLowerCase())) continue
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain)
  }
  return isBearer ? found : null
}

function webAddress(text: string | undefined): string | null {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null
}

/** Returns the scopes in a text, each once, without what cannot be one. */
export function scopesIn(text: string): string[] {
  const scopes = text
    .split(' ')
    .filter((scope) => scope.length <= longestScope && scopeToken.test(scope))
  return [...new Set(scopes)].slice(0, mostScopes)
}
