import type { Prisma } from '../../generated/prisma/client'
import type { SignInWay, UserListing, UserState } from './schemas'

/** What `toUserListing` needs of a row. */
export const listedUser = {
  include: { memberships: { include: { group: { select: { name: true } } } } },
} satisfies Prisma.UserDefaultArgs

/** Never a password hash. */
export function toUserListing(row: Prisma.UserGetPayload<typeof listedUser>): UserListing {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    state: stateOf(row),
    disabled: row.disabledAt !== null,
    signIn: signInWayOf(row),
    groups: row.memberships.map(({ group }) => group.name).toSorted(),
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
  }
}

type Credentials = { passwordHash: string | null; oidcSubject: string | null }

export function signInWayOf({ passwordHash, oidcSubject }: Credentials): SignInWay {
  if (oidcSubject !== null) return 'identity-provider'
  return passwordHash === null ? 'none' : 'password'
}

function stateOf(row: Credentials & { disabledAt: Date | null }): UserState {
  if (row.disabledAt) return 'disabled'
  return signInWayOf(row) === 'none' ? 'invited' : 'active'
}

/** The same question as a condition. */
export function whereState(state: UserState): Prisma.UserWhereInput {
  const entered: Prisma.UserWhereInput = {
    OR: [{ passwordHash: { not: null } }, { oidcSubject: { not: null } }],
  }
  switch (state) {
    case 'disabled':
      return { disabledAt: { not: null } }
    case 'invited':
      return { disabledAt: null, NOT: entered }
    case 'active':
      return { disabledAt: null, ...entered }
    default:
      return state satisfies never
  }
}
