import { type AddressClass, classifyAddress } from './classify-address'
import { EgressError } from './egress-error'

/** What an admin allowed: `privateAllowed` = addresses in a private network or on this machine, too. */
export type EgressRule = { privateAllowed: boolean }

const never =
  'This address is link-local, reserved or a cloud metadata service, so requests to it are blocked. Correct the base URL.'

const refusals = {
  loopback:
    'This address is on this machine, so requests to it are blocked. An admin can allow private addresses on the connection.',
  private:
    'This address is in a private network, so requests to it are blocked. An admin can allow private addresses on the connection.',
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
