import { z } from 'zod'

/** The figures of an alert when it was created, in `unit`. */
export const AlertFacts = z.object({
  title: z.string(),
  unit: z.enum(['requests', 'tokens', 'micro-usd']),
  amount: z.number(),
  spent: z.number(),
})
export type AlertFacts = z.infer<typeof AlertFacts>
