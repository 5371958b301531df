import { type AddressClass, classifyAddress } from './classify-address'
import { EgressError } from './egress-error'

/** What an admin allowed: `privateAllowed` = addresses in a private network or on this machine, too. */
export type EgressRule = { privateAllowed: boolean }

const never =
  'This address belongs to no provider: it is link-local, a cloud metadata service or reserved. Nothing may be sent there. Correct the base URL.'

const refusals = {
  loopback:
    'This address is on this machine itself. Only connections that are allowed to may reach it: an admin can allow private addresses on the connection.',
  private:
    'This address is in a private network. Only connections that are allowed to may reach it: an admin can allow private addresses on the connection.',
  'link-local': never,
  forbidden: never,
} satisfies Record<Exclude<AddressClass, 'public'>, string>

/** Throws EgressError unless every address may be reached: one bad address among good ones is how a name is rebound. */
export function requireAllowedAddresses(addresses: readonly string[], rule: EgressRule): void {
  for (const address of addresses) {
    const found = classifyAddress(address)
    if (found === 'public') continue
    const mayBeAllowed = found === 'private' || found === 'loopback'
    if (mayBeAllowed && rule.privateAllowed) continue
    throw new EgressError(found, refusals[found])
  }
}
