import { z } from 'zod'

const reason = z.string().trim().max(500, 'A reason has at most 500 characters.')

export const FreezeSite = z.object({
  reason: reason.min(1, 'Enter a reason. Everybody will see it.'),
})
