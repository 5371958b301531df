import { z } from 'zod'
import type { FailureCategory } from '../../protocol/failure'
import { AuditReason } from '../audit/audit-reason'
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
  reason: AuditReason,
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
export type KeyHealth =
  | { type: 'ready' }
  | { type: 'off' }
  | { type: 'limited'; until: string }
  | { type: 'paused'; until: string; category: FailureCategory | null; advice: string }

/** One key of a connection as pages and lists show it; of the key itself the last four characters. */
export type KeyListing = {
  /** null = the connection's own key, for which nothing is set. */
  id: string | null
  isOwn: boolean
  label: string
  lastFour: string
  weight: number
  enabled: boolean
  requestsPerMinute: number | null
  tokensPerMinute: number | null
  health: KeyHealth
  updatedAt: string
}
