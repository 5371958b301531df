import type { UserListing } from '@toolgate/server/domains/users/schemas'
import type { PillState } from '@/components/ui/state-pill'

export const stateWords: Record<UserListing['state'], { pill: PillState; word: string }> = {
  active: { pill: 'ok', word: 'Active' },
  invited: { pill: 'waiting', word: 'Invited' },
  suspended: { pill: 'warning', word: 'Suspended' },
  disabled: { pill: 'off', word: 'Disabled' },
}

export const suspendedWords =
  'Sessions and runs have ended; API keys and schedules wait. A sign-in with groups ends this, or an admin who enables the account.'

export const roleWords = { admin: 'Admin', member: 'Member' } as const

const browsers: readonly [RegExp, string][] = [
  [/Edg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+)[\d.]* .*Safari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/Windows NT/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Returns "Firefox 140 on Linux" for a User-Agent header. Anyone may send any header, so it is only a hint. */
export function browserWords(userAgent: string | null): string {
  if (!userAgent) return 'Unknown browser'
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  for (const [pattern, name] of browsers) {
    const version = pattern.exec(userAgent)?.[1]
    if (version) return system ? `${name} ${version} on ${system}` : `${name} ${version}`
  }
  return userAgent.slice(0, 60)
}
