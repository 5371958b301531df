/** Tried this often, later and later: after half a minute, one, two, four … minutes. Then it stays a notice only. */
export const maxAttempts = 10
export const firstPauseSeconds = 30
/** Older ones are no news, such as those from before a webhook was set. */
export const newsForHours = 24
