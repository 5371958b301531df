import { z } from 'zod'
import { parseUsd } from '../protocol/usd-text'

/** A price as people type it, in US dollars; "" = unknown. Becomes whole micro-USD without a float in between. */
export const UsdField = z.string().transform((text, context) => {
  if (text.trim() === '') return null
  const microUsd = parseUsd(text)
  if (microUsd !== null) return microUsd
  context.addIssue({
    code: 'custom',
    message: 'Enter US dollars below 1,000,000,000 with up to six decimals, such as 0.075.',
  })
  return z.NEVER
})
