import type { Prisma, User } from '@/lib/generated/prisma/client'
import { isUniqueViolation, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import type { SignInWay, UserListing, UserState } from './schemas'

/** Returns an account that is not deleted. Throws NotFoundError. */
export async function requireUser(tx: Tx, userId: string): Promise<User> {
  const id = parseId(userId, 'The user')
  const user = await tx.user.findFirst({ where: { id, deletedAt: null } })
  if (!user) throw new NotFoundError('The user')
  return user
}

/** Says that an e-mail address is taken, where the database refused the row of a new account for it. */
export function explainTakenEmail(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw new ConflictError('This e-mail address already has an account.')
}

/** The columns that `toUserListing` needs. */
export const listedUser = {
  include: { memberships: { include: { group: { select: { name: true } } } } },
} satisfies Prisma.UserDefaultArgs

/** Returns an account as lists show it, never a password hash. */
export function toUserListing(row: Prisma.UserGetPayload<typeof listedUser>): UserListing {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    state: stateOf(row),
    disabled: row.disabledAt !== null,
    suspendedFor: row.suspendedFor,
    signIn: signInWayOf(row),
    groups: row.memberships.map(({ group }) => group.name).toSorted(),
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
  }
}

type Credentials = { passwordHash: string | null; oidcSubject: string | null }

/** Returns how the person of an account signs in. */
export function signInWayOf({ passwordHash, oidcSubject }: Credentials): SignInWay {
  if (oidcSubject !== null) return 'identity-provider'
  return passwordHash === null ? 'none' : 'password'
}

function stateOf(row: Credentials & Pick<User, 'disabledAt' | 'suspendedFor'>): UserState {
  if (row.suspendedFor !== null) return 'suspended'
  if (row.disabledAt) return 'disabled'
  return signInWayOf(row) === 'none' ? 'invited' : 'active'
}

/** Returns the condition that finds the accounts in this state. */
export function whereState(state: UserState): Prisma.UserWhereInput {
  const entered: Prisma.UserWhereInput = {
    OR: [{ passwordHash: { not: null } }, { oidcSubject: { not: null } }],
  }
  switch (state) {
    case 'suspended':
      return { suspendedFor: { not: null } }
    case 'disabled':
      return { disabledAt: { not: null }, suspendedFor: null }
    case 'invited':
      return { disabledAt: null, NOT: entered }
    case 'active':
      return { disabledAt: null, ...entered }
    default:
      return state satisfies never
  }
}
