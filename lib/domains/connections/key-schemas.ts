import { z } from 'zod'
import { FailureCategory } from '../../protocol/failure'
import { ConnectionKey, SeenHost } from './schemas'

/** What the connection's own key is called until somebody says otherwise. */
export const ownKeyLabel = 'main'
export const mostKeys = 20

const perMinute = (what: string) =>
  z
    .int('Enter a whole number, or leave it empty for no limit.')
    .min(1, 'At least 1.')
    .max(2_000_000_000, `At most 2,000,000,000 ${what} a minute.`)
    .nullable()

const facts = {
  label: z
    .string()
    .trim()
    .min(1, 'Enter a label.')
    .max(50, 'A label has at most 50 characters.')
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
      'Use letters, digits, spaces, dots, hyphens and underscores.',
    ),
  weight: z.int('Enter a whole number.').min(1, 'At least 1.').max(1_000, 'At most 1,000.'),
  requestsPerMinute: perMinute('requests'),
  tokensPerMinute: perMinute('tokens'),
}

/** A further key. `host` is what whoever typed it saw. */
export const AddKey = z.object({
  ...facts,
  weight: facts.weight.default(1),
  requestsPerMinute: facts.requestsPerMinute.default(null),
  tokensPerMinute: facts.tokensPerMinute.default(null),
  apiKey: ConnectionKey,
  host: SeenHost,
})
export type AddKey = z.input<typeof AddKey>

/** What is left out stays. Switching a key on also ends its pause. */
export const ChangeKey = z.object({
  ...z.object(facts).partial().shape,
  enabled: z.boolean('Give true or false.').optional(),
})
export type ChangeKey = z.input<typeof ChangeKey>

/** How a key is used, as a file says it: what is left out stays. */
export const KeyInFile = z.strictObject({
  ...z.object(facts).partial().shape,
  label: facts.label,
  enabled: z.boolean().optional(),
})
export type KeyInFile = z.output<typeof KeyInFile>

export const RenewKey = z.object({ apiKey: ConnectionKey, host: SeenHost })
export type RenewKey = z.input<typeof RenewKey>

/** `paused` = left alone until then after a failure; `limited` = this minute's limit is used up. */
const KeyHealth = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('off') }),
  z.object({ type: z.literal('limited'), until: z.string() }),
  z.object({
    type: z.literal('paused'),
    until: z.string(),
    category: FailureCategory.nullable(),
    advice: z.string(),
  }),
])
export type KeyHealth = z.output<typeof KeyHealth>

/**
 * One key of a connection as pages and lists show it; of the key itself the last four characters. `id` null = the
 * connection's own key, for which nothing is set.
 */
export const KeyListing = z.object({
  id: z.string().nullable(),
  isOwn: z.boolean(),
  label: z.string(),
  lastFour: z.string(),
  weight: z.number(),
  enabled: z.boolean(),
  requestsPerMinute: z.number().nullable(),
  tokensPerMinute: z.number().nullable(),
  health: KeyHealth,
  updatedAt: z.string(),
})
export type KeyListing = z.output<typeof KeyListing>
