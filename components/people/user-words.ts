import type { PillState } from '@/components/ui/state-pill'
import type { UserListing } from '@/lib/domains/users/schemas'

export const stateWords: Record<UserListing['state'], { pill: PillState; word: string }> = {
  active: { pill: 'ok', word: 'Active' },
  invited: { pill: 'waiting', word: 'Invited' },
  disabled: { pill: 'off', word: 'Disabled' },
}

export const roleWords = { admin: 'Admin', member: 'Member' } as const
