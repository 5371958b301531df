import { z } from 'zod'
import { Password } from './schemas'

export const NewPassword = z.object({ password: Password })
export type NewPassword = z.input<typeof NewPassword>

export const ChangePassword = z.object({
  current: z.string().min(1, 'Enter your current password.').max(1024, 'This is too long.'),
  password: Password,
  /** Whether one's API keys and other sessions end too. */
  endAccess: z.boolean().default(true),
})
export type ChangePassword = z.input<typeof ChangePassword>
