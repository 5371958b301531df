import { isPublicHost } from '../../engines/egress/classify-address'
import { auditLabel, type Ctx } from '../../kernel/context'
import { ValidationError } from '../../kernel/errors'
import type { TrustZone } from '../../protocol/model-target'
import { connectionHost } from '../../protocol/wire-address'
import { type ConnectionFacts, ZoneConfirmation, type ZoneState } from './schemas'

type Address = Pick<ConnectionFacts, 'wire' | 'baseUrl' | 'settings' | 'trustZone'>

/** The zones that say that data stays in networks of one's own. */
const own: ReadonlySet<TrustZone> = new Set(['local', 'private'])

/** The public host of a connection whose zone says that data stays in one's own network; null = zone and address fit. */
export async function contradictingHost({
  trustZone,
  ...address
}: Address): Promise<string | null> {
  const host = own.has(trustZone) ? connectionHost(address) : null
  return host !== null && (await isPublicHost(host)) ? host : null
}

/** What pages and lists say of a stored connection's zone (SPEC A8). `stored` is its column. */
export async function zoneState(facts: Address, stored: unknown): Promise<ZoneState> {
  const confirmation = confirmationFor(facts, stored)
  if (confirmation) return { type: 'confirmed', ...confirmation }
  const host = await contradictingHost(facts)
  return host === null ? { type: 'fits' } : { type: 'mismatch', host }
}

function confirmationFor(facts: Address, stored: unknown): ZoneConfirmation | null {
  const found = ZoneConfirmation.safeParse(stored).data
  const holds = found?.host === connectionHost(facts) && found?.trustZone === facts.trustZone
  return found && holds ? found : null
}

type Given = { confirmZone: string; reason: string; stored: unknown }

/**
 * The confirmation to store with a connection (SPEC A8); null = it needs none. ValidationError when zone and address
 * contradict each other and the host was not typed, or no reason was given.
 */
export async function confirmedZone(
  ctx: Ctx,
  facts: Address,
  { confirmZone, reason, stored }: Given,
): Promise<ZoneConfirmation | null> {
  const typed = confirmZone.toLowerCase()
  const kept = confirmationFor(facts, stored)
  if (typed === '' && kept) return kept
  const host = typed === '' ? await contradictingHost(facts) : ownHost(facts)
  if (host === null) return null
  const wrong = {
    ...(typed !== host && { confirmZone: confirmWords(facts.trustZone, host) }),
    ...(reason === '' && {
      reason: 'Say why this address is trusted. The reason is stored in the audit.',
    }),
  }
  if (Object.keys(wrong).length > 0) throw new ValidationError(wrong)
  const at = new Date().toISOString()
  return { host, trustZone: facts.trustZone, by: auditLabel(ctx), at, reason }
}

function ownHost({ trustZone, ...address }: Address): string | null {
  return own.has(trustZone) ? connectionHost(address) : null
}

/** Names the host and both ways out, for pages, terminal and API alike. */
export function confirmWords(zone: TrustZone, host: string): string {
  return `${host} is a public address, and the trust zone ${zone} means that data stays in your own network. Pick an external trust zone, or confirm this one with the host name ${host} and a reason.`
}
