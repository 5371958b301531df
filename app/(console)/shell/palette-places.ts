import { CircleUser, type LucideIcon, SlidersHorizontal } from 'lucide-react'
import { placesFor, railPageOf } from '@/components/shell/destinations'
import { matchesWords } from '@/lib/protocol/palette'
import type { Role } from '@/lib/protocol/tool'

export type PalettePlace = { href: string; label: string; hint: string; icon: LucideIcon }

type Setting = { href: string; label: string; words: string; role: Role }

/** Single settings, with the words people look for. A new section of Settings is one line here. */
export const settings: readonly Setting[] = [
  {
    href: '/settings#approvals',
    label: 'Approval expiry',
    words: 'approvals expiry expire lifetime hours days',
    role: 'admin',
  },
  {
    href: '/settings#runs',
    label: 'Maximum rounds of a run',
    words: 'limit iterations steps long',
    role: 'admin',
  },
  {
    href: '/settings#runs-at-once',
    label: 'Runs at once',
    words: 'limit parallel concurrent active person configuration wait queue',
    role: 'admin',
  },
  {
    href: '/settings#programs',
    label: 'Program disk limit',
    words: 'exec disk room workspace limit mib',
    role: 'admin',
  },
  {
    href: '/settings#signing-in',
    label: 'Required second factor and idle sessions',
    words: 'sign in sessions mfa 2fa passkey time-out timeout logout security',
    role: 'admin',
  },
  {
    href: '/settings#alerts',
    label: 'Budget alerts',
    words: 'alerts notification webhook slack mail smtp channel 80 100 percent',
    role: 'admin',
  },
  {
    href: '/settings#site-file',
    label: 'Site file',
    words: 'yaml backup download drift',
    role: 'admin',
  },
  {
    href: '/settings#backups',
    label: 'Backup schedule',
    words: 'backup schedule restore dump keep daily',
    role: 'admin',
  },
  {
    href: '/account#password',
    label: 'Change your password',
    words: 'sign in account security',
    role: 'member',
  },
  {
    href: '/account#second-factor',
    label: 'Your second factor',
    words: 'second factor mfa 2fa totp recovery codes sign in account security',
    role: 'member',
  },
  {
    href: '/account#sessions',
    label: 'Your sessions',
    words: 'sessions browsers devices sign out account',
    role: 'member',
  },
  {
    href: '/account#api-keys',
    label: 'Your API keys',
    words: 'token http program scopes account',
    role: 'member',
  },
]

/** Returns the pages of this role, and settings that match the words of a query; without words, only the pages. */
export function placesMatching(role: Role, words: readonly string[]): PalettePlace[] {
  const pages = placesFor(role).flatMap((place) => {
    const { section = 'You', icon = CircleUser } = railPageOf(place) ?? {}
    const { href, label } = place
    return matchesWords(words, `${label} ${section}`) ? { href, label, hint: section, icon } : []
  })
  if (words.length === 0) return pages
  const single = settings
    .filter((each) => role === 'admin' || each.role === 'member')
    .filter(({ label, words: more }) => matchesWords(words, `${label} ${more} setting settings`))
    .map(({ href, label }) => ({
      href,
      label,
      hint: href.startsWith('/account') ? 'Your account' : 'Settings',
      icon: SlidersHorizontal,
    }))
  return [...pages, ...single]
}
