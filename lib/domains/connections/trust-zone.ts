import { z } from 'zod'
import { wireAndZone } from '@/lib/domains/rows/column-names'
import { changeConfiguration } from '@/lib/domains/rows/configuration-history'
import { type AuditedChange, verb } from '@/lib/edge/verb'
import { isPublicHost } from '@/lib/engines/egress/classify-address'
import type { Prisma } from '@/lib/generated/prisma/client'
import { auditLabel, type Ctx } from '@/lib/kernel/context'
import type { PolicyTx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { keptRaise, rezoned, type TrustZone } from '@/lib/protocol/model/model-target'
import { DataClass } from '@/lib/protocol/tool'
import type { ZoneState } from './schemas'
import { type ZoneConfirmation, ZonedAddress, zoneReasons } from './shape'
import { connectionHost } from './shared/wire-address'
import { confirmationFor, ownHost } from './zone-confirmation'

/**
 * Returns the public host of an address whose trust zone means that data stays in one's own network; null = they fit.
 */
export async function contradictingHost(address: ZonedAddress): Promise<string | null> {
  const host = ownHost(address)
  return host !== null && (await isPublicHost(host)) ? host : null
}

export const checkTrustZone = verb({
  name: 'connection.check-trust-zone',
  role: 'admin',
  scope: null,
  summary: 'Returns the public host that contradicts a private trust zone; null = the zone fits.',
  input: ZonedAddress,
  output: z.string().nullable(),
  transaction: false,
  run: async (_context, address) => contradictingHost(address),
})

/**
 * Returns whether the trust zone of a connection fits its address (SPEC A8). `stored`: the column of its confirmation.
 */
export async function zoneState(facts: ZonedAddress, stored: unknown): Promise<ZoneState> {
  const confirmation = confirmationFor(facts, stored)
  if (confirmation) return { type: 'confirmed', ...confirmation }
  const host = await contradictingHost(facts)
  return host === null ? { type: 'fits' } : { type: 'mismatch', host }
}

/**
 * Returns the zone that a connection gets instead of its own; null = it keeps that. Throws ValidationError without a
 * reason (SPEC G7).
 */
export function newZone(
  before: ZonedAddress,
  { trustZone }: ZonedAddress,
  reason: string,
): TrustZone | null {
  if (before.trustZone === trustZone) return null
  if (reason !== '') return trustZone
  throw new ValidationError({
    reason: zoneReasons.change,
  })
}

/** Throws ValidationError unless somebody picked the zone of an address with another host (SPEC A8). */
export function requirePickedZone(
  address: ZonedAddress,
  { trustZone }: { trustZone?: TrustZone | undefined },
): void {
  if (trustZone !== undefined || address.wire === 'demo') return
  throw new ValidationError({
    trustZone: `The address has another host. Pick the trust zone for ${connectionHost(address)}.`,
  })
}

type Given = { confirmZone: string; reason: string; stored: unknown }

/**
 * Returns the confirmation to store with a connection (SPEC A8); null = it needs none. Throws ValidationError when
 * trust zone and address contradict each other and the host was not typed, or no reason was given.
 */
export async function confirmedZone(
  ctx: Ctx,
  facts: ZonedAddress,
  { confirmZone, reason, stored }: Given,
): Promise<ZoneConfirmation | null> {
  const typed = confirmZone.toLowerCase()
  const kept = confirmationFor(facts, stored)
  if (typed === '' && kept) return kept
  const contradicting = await contradictingHost(facts)
  const host = typed === '' ? contradicting : ownHost(facts)
  if (host === null) return null
  const words = contradicting === null ? null : confirmWords(facts.trustZone, host)
  const differs = typed === '' ? null : `You typed ${typed}, but the address has the host ${host}.`
  const advice = words ?? 'Its trust zone fits, so leave the confirmation empty.'
  const wrong = {
    ...(typed !== host && { confirmZone: [differs, advice].filter(Boolean).join(' ') }),
    ...(reason === '' && { reason: zoneReasons.confirm }),
  }
  if (Object.keys(wrong).length > 0) throw new ValidationError(wrong)
  const at = new Date().toISOString()
  return { host, trustZone: facts.trustZone, by: auditLabel(ctx), at, reason }
}

/** Returns the sentence that names the host and both solutions, for pages, terminal and API. */
export function confirmWords(zone: TrustZone, host: string): string {
  return `${host} is a public address, and the trust zone ${zone} means that data stays in your own network. Pick an external trust zone, or confirm this one with the host name ${host} and a reason.`
}

const zoneOf = {
  select: { connectionId: true, connection: { select: { trustZone: true, wire: true } } },
} as const satisfies Prisma.ModelDefaultArgs

type Rezoning = { connectionId: string; name: string; zone: TrustZone; reason: string }

/**
 * Resets the raised data class of configurations whose chain comes to have a less trusted provider than before, because
 * this connection gets `zone` (SPEC G7). Stores a version of each, and returns the changes for the audit. To be called
 * before the connection is written, in its transaction, which holds the policy lock exclusively.
 */
export async function resetRaisedClasses(
  tx: PolicyTx,
  ctx: Ctx,
  { connectionId, name, zone, reason }: Rezoning,
): Promise<AuditedChange<'configuration.update-policy'>[]> {
  const changes: AuditedChange<'configuration.update-policy'>[] = []
  const rows = await tx.configuration.findMany({
    where: {
      raisedDataClass: { not: null },
      OR: [{ model: { connectionId } }, { fallbacks: { some: { model: { connectionId } } } }],
    },
    select: { id: true, identifier: true, raisedDataClass: true, model: zoneOf },
    orderBy: { id: 'asc' },
  })
  for (const { id, identifier, model, ...row } of rows) {
    const raised = DataClass.nullable().parse(row.raisedDataClass)
    const fallbacks = await tx.configurationFallback.findMany({
      where: { configurationId: id },
      select: { model: zoneOf },
    })
    const chain = [model, ...fallbacks.map((each) => each.model)]
    const before = chain.map((link) => ({ ...link, ...wireAndZone(link.connection) }))
    const after = rezoned(before, zone, (link) => link.connectionId === connectionId)
    const raisedDataClass = keptRaise(raised, { before, after })
    if (raisedDataClass === raised) continue
    const change = { configurationId: id, note: `${name} has a lower trust zone now: ${reason}` }
    await changeConfiguration(tx, ctx, change, () =>
      tx.configuration.update({ where: { id }, data: { raisedDataClass } }),
    )
    changes.push({
      action: 'configuration.update-policy',
      subject: id,
      before: { identifier, raisedDataClass: raised },
      after: { identifier, raisedDataClass },
      reason,
    })
  }
  return changes
}
