import { z } from 'zod'
import { newSchemasOf, schemasOf } from '../../protocol/field-codec'
import { ChannelKind, channelShape, MailSecurity } from './shape'

export const CreateChannel = z.object(newSchemasOf(channelShape))

/** Fields that are left out stay. */
export const UpdateChannel = z
  .object(schemasOf(channelShape))
  .omit({ kind: true })
  .partial()
  .extend({ id: z.string() })

/**
 * A channel as lists show it, without its secrets. Times are ISO text in UTC. `address`: without its path. `lastError`:
 * why the newest alert that was tried did not arrive; "" = it did.
 */
export const ChannelListing = z.object({
  id: z.string(),
  name: z.string(),
  kind: ChannelKind,
  address: z.string().nullable(),
  host: z.string().nullable(),
  port: z.int().nullable(),
  security: MailSecurity,
  user: z.string().nullable(),
  sender: z.string().nullable(),
  recipients: z.array(z.string()),
  privateAddressAllowed: z.boolean(),
  budgetAlerts: z.boolean(),
  enabled: z.boolean(),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  lastError: z.string(),
  lastDeliveredAt: z.string().nullable(),
  /** Alerts that failed and will be tried again. */
  waiting: z.int(),
  createdByLabel: z.string(),
  updatedAt: z.string(),
})
export type ChannelListing = z.output<typeof ChannelListing>
