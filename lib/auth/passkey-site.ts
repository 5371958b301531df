import { isIP } from 'node:net'
import { type Env, env } from '../kernel/env'
import { ConflictError } from '../kernel/errors'

/** `rpId` is the name passkeys are bound to; `origins` are the addresses they may be used at. */
export type PasskeySite =
  | { type: 'available'; rpId: string; origins: string[] }
  | { type: 'unavailable'; reason: string }

/**
 * Returns whether browsers allow passkeys at the address of this installation (TOOLGATE_URL): https with a name, or
 * localhost. Nothing of it comes from a request, which could name another site.
 */
export function passkeySite(
  { TOOLGATE_URL, PORT }: Pick<Env, 'TOOLGATE_URL' | 'PORT'> = env(),
): PasskeySite {
  const { protocol, hostname, origin } = new URL(TOOLGATE_URL)
  if (hostname === 'localhost') {
    // The address may name another port than the one this process listens on, such as the default one.
    const own = PORT === undefined ? [] : [`http://localhost:${PORT}`]
    return { type: 'available', rpId: hostname, origins: [...new Set([origin, ...own])] }
  }
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  if (protocol === 'https:' && isName) {
    return { type: 'available', rpId: hostname, origins: [origin] }
  }
  const reason = `Browsers allow passkeys only at an https address with a host name, or at http://localhost. The address of this installation is ${origin} (TOOLGATE_URL).`
  return { type: 'unavailable', reason }
}

/** Returns the same where passkeys are available. Throws ConflictError with the reason where they are not. */
export function requirePasskeySite(): Extract<PasskeySite, { type: 'available' }> {
  const site = passkeySite()
  if (site.type === 'available') return site
  throw new ConflictError(`Passkeys cannot be used here. ${site.reason}`)
}
