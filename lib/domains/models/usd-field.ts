import { z } from 'zod'
import { LongPrompt } from '../../protocol/cost'
import { parseCount, parseUsd } from '../../protocol/format'

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

const typed = z.string().trim()

/** What long prompts cost, as people type it: tokens and two percentages; all empty = the same as others. */
export const LongPromptField = z
  .object({ aboveTokens: typed, inputPercent: typed, outputPercent: typed })
  .transform((texts, context) => {
    if (Object.values(texts).every((text) => text === '')) return null
    const given = LongPrompt.safeParse({
      aboveTokens: parseCount(texts.aboveTokens),
      inputPercent: parseCount(texts.inputPercent),
      outputPercent: parseCount(texts.outputPercent),
    })
    if (given.success) return given.data
    context.addIssue({
      code: 'custom',
      message:
        'Enter the tokens (at most 100,000,000) and both percentages (100 to 1,000), or leave all three empty.',
    })
    return z.NEVER
  })
