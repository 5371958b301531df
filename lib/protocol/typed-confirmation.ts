/** Start of each sentence about calls that nobody could approve. */
export const lossStart = 'After this change, nobody can approve'

/** Text that confirms a change after which nobody could approve some calls. */
export const nobodyCanApprove = 'nobody can approve'

/**
 * Returns a short hash of a refusal. The console sends it beside the typed text, so that the text confirms only the sentences
 * that the person read.
 */
export function refusalHash(message: string): string {
  // FNV-1a of 32 bits, because a browser has no hash of its own on a page without HTTPS.
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(message)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(36)
}

/** Returns the value of the console's cookie: the typed text, bound to the refusal that the person read. */
export function confirmationCookie(typed: string, message: string): string {
  return encodeURIComponent(JSON.stringify([typed, refusalHash(message)]))
}

/** Name of the header of the API, and of the console's cookie, with the text that confirms such a change. */
export const confirmationName = 'toolgate-confirm'

/** Likewise for the reason of a change that breaks policy cases. */
export const breakReasonName = 'toolgate-break-checks'
