import { z } from 'zod'

/** What an alert said when it was left; figures in `unit`. */
export const AlertFacts = z.object({
  title: z.string(),
  unit: z.enum(['requests', 'tokens', 'micro-usd']),
  amount: z.number(),
  spent: z.number(),
})
export type AlertFacts = z.infer<typeof AlertFacts>
