type Key = {
  name: string
  revokedAt: Date | null
  expiresAt: Date | null
  pausedAt: Date | null
}

/** Returns why a key starts no runs now, as a sentence; null = it does. */
export function endedKeyWords({ name, revokedAt, expiresAt, pausedAt }: Key): string | null {
  if (revokedAt) return `The API key ${name} was revoked.`
  if (expiresAt && expiresAt <= new Date()) return `The API key ${name} has expired.`
  return pausedAt && `The API key ${name} is paused.`
}
