import { allowingWords, findRefusal } from '../../engines/egress/egress-connector'
import { ValidationError } from '../../kernel/errors'
import { authorityAddress, wireAddress } from '../../protocol/wire-address'
import type { ConnectionFacts } from './schemas'

type Address = Pick<ConnectionFacts, 'wire' | 'baseUrl' | 'settings' | 'privateAddressAllowed'>

/**
 * Refuses an address in a private network that nobody allowed, and one that nothing may ever be sent to, while it is
 * being typed. Throws ValidationError for the field that can put it right.
 */
export async function requireAllowedAddress(address: Address): Promise<void> {
  const { wire, baseUrl } = address
  const url = baseUrl ?? wireAddress(address)
  if (wire === 'demo' || url === null) return
  await requireAllowed(address, url, 'baseUrl')
  const authority = authorityAddress(address)
  if (authority !== null) await requireAllowed(address, authority, 'settings.authority')
}

async function requireAllowed(
  { privateAddressAllowed }: Address,
  url: string,
  field: string,
): Promise<void> {
  const refusal = await findRefusal(url, { privateAllowed: privateAddressAllowed })
  if (!refusal) return
  const words = allowingWords(refusal)
  throw new ValidationError(
    words === null ? { [field]: refusal.message } : { privateAddressAllowed: `${words}.` },
  )
}
