import type { z } from 'zod'
import { allowingWords, findRefusal } from '../../engines/egress/egress-connector'
import type { Tx } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import type { CreateChannel } from './schemas'
import { channelShape, fieldsOfKind } from './shape'

export type ChannelValues = z.output<typeof CreateChannel>
type Field = keyof ChannelValues

/** What is said when a kind needs a field and nothing is given. */
const missing: Partial<Record<Field, string>> = {
  address: 'Enter an address. Messages are posted there.',
  secret: 'Enter a secret. It signs each message.',
  host: 'Enter the host of the mail server.',
  sender: 'Enter the address that mails come from.',
  recipients: 'Enter at least one recipient.',
}

/**
 * Throws ValidationError unless a channel of this kind can have these values together. `kept`: secrets that are stored
 * and stay.
 */
export function requireFitting(values: ChannelValues, kept: ReadonlySet<Field>): void {
  const { has, needs }: Record<'has' | 'needs', readonly Field[]> = fieldsOfKind[values.kind]
  const errors: Partial<Record<Field, string>> = {}
  for (const field of Object.values(fieldsOfKind).flatMap((each): readonly Field[] => each.has)) {
    if (!has.includes(field) && !isLeftOut(field, values)) {
      errors[field] = 'A channel of this kind does not have this field. Leave it out.'
    }
  }
  for (const field of needs) {
    if (isLeftOut(field, values) && !kept.has(field)) errors[field] = missing[field]
  }
  const hasPassword = values.password !== null || kept.has('password')
  if (values.user === null && hasPassword) errors.user = 'Enter the user name of this password.'
  if (values.user !== null && !hasPassword) errors.password = 'Enter the password of this user.'
  if (values.user !== null && values.security === 'none') {
    errors.security = 'A password is only sent encrypted. Pick TLS or STARTTLS.'
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors)
}

function isLeftOut(field: Field, values: ChannelValues): boolean {
  const value = values[field]
  if (Array.isArray(value)) return value.length === 0
  return value === null || (field === 'security' && value === channelShape.security.defaultValue)
}

/** Refuses an address that no message could reach. Throws ValidationError for the field that can correct it. */
export async function requireReachableChannel(
  field: 'address' | 'host',
  url: string,
  privateAllowed: boolean,
): Promise<void> {
  const refusal = await findRefusal(url, { privateAllowed })
  if (!refusal) return
  const words = allowingWords(refusal)
  throw new ValidationError(
    words === null ? { [field]: refusal.message } : { privateAddressAllowed: `${words}.` },
  )
}

/** Throws ValidationError unless each of these groups exists. */
export async function requireGroups(tx: Tx, groupIds: readonly string[]): Promise<void> {
  const found = await tx.group.count({ where: { id: { in: [...groupIds] } } })
  if (found !== new Set(groupIds).size) {
    throw new ValidationError({ groupIds: 'A group no longer exists.' })
  }
}
