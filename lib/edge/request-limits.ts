import { mostAssetBytes } from '@/lib/domains/storages/shared/asset'
import { maxFileBytes } from '@/lib/protocol/files/given-files'

const kibibyte = 1024

/** The most that the framework itself reads of a body: the arguments of an action. */
export const frameworkBodyBytes = kibibyte * kibibyte

/** The most that a sender who is not signed in may send: a sign-in form needs less. */
export const strangerBodyBytes = 16 * kibibyte

/** The first prefix of the decoded path that matches counts. A route that is not named gets 16 KiB. */
const limits: readonly { prefix: string; bytes: number }[] = [
  { prefix: '/api/skills/import', bytes: 20 * kibibyte * kibibyte },
  { prefix: '/api/site-file/', bytes: 5 * kibibyte * kibibyte },
  { prefix: '/api/v1/asset-files', bytes: mostAssetBytes },
  { prefix: '/api/v1/files/', bytes: 16 * kibibyte },
  { prefix: '/api/v1/files', bytes: maxFileBytes },
  { prefix: '/api/v1/', bytes: kibibyte * kibibyte },
  { prefix: '/api/', bytes: 16 * kibibyte },
  { prefix: '/sign-in', bytes: 16 * kibibyte },
  { prefix: '/second-factor', bytes: 16 * kibibyte },
  { prefix: '/setup', bytes: 16 * kibibyte },
  { prefix: '/invite/', bytes: 16 * kibibyte },
  // Pages receive server actions, for which the framework has the same limit.
  { prefix: '/', bytes: frameworkBodyBytes },
]

/** The most fields of a query, segments of a path and segments of the router's state: the framework reads some of them in quadratic time. */
export const mostAddressParts = 100

/** The most bytes of a path, and of most queries. */
export const mostAddressBytes = 4 * kibibyte

/** Beginnings of decoded paths with long queries: codes of identity providers, and each run that a browser watches. */
const longQueries = ['/api/auth/callback/', '/api/events']

/** The most cookies of a request. Browsers keep up to 180 of a site; the sign-in library reads them in quadratic time. */
export const mostCookies = 200

/**
 * Returns how many bytes the body of a request to this path may have. Throws URIError for a path that cannot be
 * decoded.
 */
export function bodyLimit(pathname: string): number {
  const path = decodedPath(pathname)
  return limits.find(({ prefix }) => path.startsWith(prefix))?.bytes ?? strangerBodyBytes
}

/** Returns how many bytes a query behind this path may have. Throws URIError for a path that cannot be decoded. */
export function queryLimit(pathname: string): number {
  const path = decodedPath(pathname)
  return longQueries.some((prefix) => path.startsWith(prefix)) ? 8 * kibibyte : mostAddressBytes
}

function decodedPath(pathname: string): string {
  return decodeURIComponent(pathname).replaceAll(/\/{2,}/g, '/')
}
