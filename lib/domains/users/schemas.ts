import { z } from 'zod'
import { Role } from '@/lib/protocol/tool'
import { Name } from '@/lib/shape/identifier'
import { sortOrder } from '@/lib/shape/resource'

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'An e-mail address has at most 254 characters.')
  .pipe(z.email('Enter an e-mail address such as ana@example.org.'))

const Password = z
  .string()
  .min(12, 'A password needs at least 12 characters.')
  .max(1024, 'A password has at most 1,024 characters.')

export const NewPassword = z.object({ password: Password })
export type NewPassword = z.input<typeof NewPassword>

export const ChangePassword = NewPassword.extend({
  current: z.string().min(1, 'Enter your current password.').max(1024, 'This is too long.'),
  /** Ends the person's API keys and other sessions, too. */
  endAccess: z.boolean().default(true),
})
export type ChangePassword = z.input<typeof ChangePassword>

export const FirstAdmin = z.object({ email: Email, name: Name, password: Password })
export type FirstAdmin = z.input<typeof FirstAdmin>

export const CreateUser = FirstAdmin.extend({ role: Role })

export const InviteUser = z.object({
  email: Email,
  name: Name,
  role: Role,
  groupIds: z
    .array(z.uuid())
    .max(100, 'At most 100 groups.')
    .transform((ids) => [...new Set(ids)])
    .default([]),
})

/** The input of a change of an account; omitted fields stay. */
export const UpdateUser = z.object({
  userId: z.string(),
  name: Name.optional(),
  role: Role.optional(),
  disabled: z.boolean().optional(),
})

/**
 * Invited = nobody has set a password or signed in through the identity provider yet. Suspended = disabled until the provider sends
 * the groups of the person again, with keys that work again then.
 */
export const UserState = z.enum(['active', 'invited', 'suspended', 'disabled'])
export type UserState = z.infer<typeof UserState>

const sortKeys = ['name', 'role', 'signed-in', 'added'] as const
export type UserSortKey = (typeof sortKeys)[number]
export const defaultUserSort = 'name' as const

export const UserFilter = z.object({
  search: z.string().trim().max(200).optional(),
  role: Role.optional(),
  state: UserState.optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
  sort: sortOrder(sortKeys, defaultUserSort),
})
export type UserFilter = z.infer<typeof UserFilter>

/** Sign-in method of a person; `none`: not possible yet. */
export type SignInWay = 'password' | 'identity-provider' | 'none'

/** A user as lists show them; times are ISO text in UTC. */
export type UserListing = {
  id: string
  email: string
  name: string
  role: Role
  state: UserState
  /** True also while it is suspended. */
  disabled: boolean
  /** Why it is suspended, in a sentence; null = it is not. */
  suspendedFor: string | null
  signIn: SignInWay
  groups: string[]
  createdAt: string
  lastSignInAt: string | null
}

/** A sign-in of a person: where it came from and how long it counts. Times are ISO text in UTC. */
export type SessionListing = {
  id: string
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  ipAddress: string | null
  userAgent: string | null
}

/** `address` is the link, with `token` in it, and shown this once; `expiresAt` is ISO text in UTC. */
export const OneTimeLink = z.object({
  purpose: z.enum(['invite', 'reset']),
  token: z.string(),
  address: z.string(),
  expiresAt: z.string(),
})
export type OneTimeLink = z.infer<typeof OneTimeLink>
