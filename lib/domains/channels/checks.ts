import { allowingWords, findRefusal } from '../../engines/egress/egress-connector'
import { ValidationError } from '../../kernel/errors'
import type { ValuesOf } from '../../protocol/field-codec'
import { channels, fieldsOfKind } from './shape'

export type ChannelValues = ValuesOf<typeof channels.fields>
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
  return value === null || (field === 'security' && value === channels.fields.security.defaultValue)
}

const neverReached =
  'This address is link-local, reserved or a cloud metadata service, so nothing is sent there. Enter another one.'

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
    words === null ? { [field]: neverReached } : { privateAddressAllowed: `${words}.` },
  )
}
