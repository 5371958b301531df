import { mostAssetBytes } from '../protocol/asset'
import { maxFileBytes } from '../protocol/given-files'

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

/**
 * Returns how many bytes the body of a request to this path may have. Throws URIError for a path that cannot be
 * decoded.
 */
export function bodyLimit(pathname: string): number {
  const path = decodeURIComponent(pathname).replaceAll(/\/{2,}/g, '/')
  return limits.find(({ prefix }) => path.startsWith(prefix))?.bytes ?? strangerBodyBytes
}
