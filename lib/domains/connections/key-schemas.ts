import { z } from 'zod'
import { FailureCategory } from '@/lib/protocol/model/failure'
import { newSchemasOf, schemasOf } from '@/lib/shape/field-codec'
import { ConnectionKey, SeenHost } from './schemas'
import { keyShape } from './shape'

/** The default label of the connection's own key. */
export const ownKeyLabel = 'main'
export const mostKeys = 20

const facts = schemasOf(keyShape)

/** Describes a further key. `host`: the one shown beside the field. */
export const AddKey = z.object({
  ...newSchemasOf(keyShape),
  apiKey: ConnectionKey,
  host: SeenHost,
})
export type AddKey = z.input<typeof AddKey>

/** The input of a change of a key; omitted fields stay. Switching a key on also ends its pause. */
export const ChangeKey = z.object({
  ...z.object(facts).partial().shape,
  enabled: z.boolean().optional(),
})
export type ChangeKey = z.input<typeof ChangeKey>

/** Describes how a key is used, in a site file: what is left out stays. */
export const KeyInFile = z.strictObject({
  ...z.object(facts).partial().shape,
  label: facts.label,
  enabled: z.boolean().optional(),
})
export type KeyInFile = z.output<typeof KeyInFile>

export const RenewKey = z.object({ apiKey: ConnectionKey, host: SeenHost })
export type RenewKey = z.input<typeof RenewKey>

/** `paused` = not used until then after a failure; `limited` = this minute's limit is used up. */
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
 * A key of a connection, as pages and lists show it: only its last four characters. `id` null = the connection's own
 * key without settings.
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
