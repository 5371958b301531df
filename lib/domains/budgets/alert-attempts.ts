/**
 * The number of tries, with doubling waits: after half a minute, one, two, four … minutes. Then it stays a notice only.
 */
export const maxAttempts = 10
export const firstPauseSeconds = 30
/** Older alerts are not sent, such as those from before a webhook was set. */
export const newsForHours = 24
