import { z } from 'zod'
import { Role } from '../protocol/tool'

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'An e-mail address has at most 254 characters.')
  .pipe(z.email('Write an e-mail address such as ana@example.org.'))

const Password = z
  .string()
  .min(12, 'A password needs at least 12 characters.')
  .max(1024, 'A password has at most 1,024 characters.')

const PersonName = z
  .string()
  .trim()
  .min(1, 'Give a name.')
  .max(100, 'A name has at most 100 characters.')

export const FirstAdmin = z.object({ email: Email, name: PersonName, password: Password })
export type FirstAdmin = z.input<typeof FirstAdmin>

export const CreateUser = FirstAdmin.extend({ role: Role })
export type CreateUser = z.input<typeof CreateUser>

export const UpdateUser = z.object({
  name: PersonName.optional(),
  role: Role.optional(),
  disabled: z.boolean().optional(),
})
export type UpdateUser = z.input<typeof UpdateUser>

/** A user as lists show them; times are ISO text in UTC. */
export type UserListing = {
  id: string
  email: string
  name: string
  role: Role
  disabled: boolean
  groups: string[]
  createdAt: string
  lastSignInAt: string | null
}
