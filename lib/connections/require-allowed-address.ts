import { allowingWords, findRefusal } from '../egress/find-refusal'
import { ValidationError } from '../errors'
import { wireAddress } from '../protocol/wire-address'
import type { ConnectionFacts } from './schemas'

type Address = Pick<ConnectionFacts, 'wire' | 'baseUrl' | 'privateAddressAllowed'>

/**
 * Refuses an address in a private network that nobody allowed, and one that nothing may ever be sent to, while it is
 * being typed. Throws ValidationError for the field that can put it right.
 */
export async function requireAllowedAddress(address: Address): Promise<void> {
  const { wire, baseUrl, privateAddressAllowed } = address
  const url = baseUrl ?? wireAddress[wire]
  if (wire === 'demo' || url === null) return
  const refusal = await findRefusal(url, { privateAllowed: privateAddressAllowed })
  if (!refusal) return
  const words = allowingWords(refusal)
  throw new ValidationError(
    words === null ? { baseUrl: refusal.message } : { privateAddressAllowed: `${words}.` },
  )
}
