import { allowingWords, findRefusal } from '../engines/egress/egress-connector'
import { ValidationError } from './errors'

/**
 * Refuses an address in a private network that nobody allowed, and one that nothing may ever be sent to. Throws
 * ValidationError for the field that can correct it: that of the address, or `privateAddressAllowed`.
 */
export async function requireAllowed(
  field: string,
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
