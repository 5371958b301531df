import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { requireStored } from '../../kernel/resource-reads'
import { type AlertOutcome, channels } from './shape'

const shownAlerts = 20

/** What is read with a channel: the groups that may use it, and its last alerts. */
export const withAlerts = {
  groups: { select: { group: { select: { id: true, name: true } } } },
  deliveries: {
    orderBy: { alert: { at: 'desc' } },
    take: shownAlerts,
    include: { alert: { select: { facts: true, percent: true, at: true } } },
  },
} as const satisfies Prisma.ChannelInclude
const { groups: withGroups, deliveries: newest } = withAlerts

type ChannelRow = Prisma.ChannelGetPayload<{ include: typeof withAlerts }>
export type StoredChannel = ReturnType<typeof storedChannel>

/** Returns a channel as it is stored, by its id or name. Throws NotFoundError. */
export const requireChannel = requireStored(channels, findChannel)

export async function findChannel(
  tx: Tx,
  asked: { id: string } | { name: string },
): Promise<StoredChannel | null> {
  const row = await tx.channel.findUnique({ where: asked, include: { groups: withGroups } })
  if (!row) return null
  // A transaction has one connection, so these statements follow one another.
  const deliveries = await tx.alertDelivery.findMany({ where: { channelId: row.id }, ...newest })
  return storedChannel({ ...row, deliveries })
}

/** Returns a channel as it is stored, with the values of its fields. */
export function storedChannel({ groups: groupRows, recipients, ...row }: ChannelRow) {
  const groups = groupRows.map(({ group }) => group).sort((a, b) => (a.name < b.name ? -1 : 1))
  const to = recipients.length === 0 ? null : recipients.join(', ')
  return { ...row, groups, groupIds: groups.map(({ id }) => id), recipients: to }
}

/** Returns what came of an alert at a channel. */
export function alertOutcome(delivery: ChannelRow['deliveries'][number]): AlertOutcome {
  const { alert, attempts, deliveredAt, lastError: trouble } = delivery
  const { title } = z.object({ title: z.string() }).parse(alert.facts)
  const at = alert.at.toISOString()
  const arrived = deliveredAt?.toISOString() ?? null
  return { title, percent: alert.percent, at, attempts, deliveredAt: arrived, trouble }
}

/** Returns the part of an address that people may see: "https://hooks.example.com/…". */
export function shownAddress(url: string): string {
  return `${new URL(url).origin}/…`
}
