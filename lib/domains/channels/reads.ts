import { z } from 'zod'
import { db } from '../../kernel/db'
import { verb } from '../../kernel/verb'
import { ChannelListing } from './schemas'
import { maxAttempts, newsForHours } from './shape'
import { type StoredChannel, withGroups } from './stored'

/** Lists every channel, by name, with what came of its alerts. */
export const listChannels = verb({
  name: 'channel.list',
  role: 'admin',
  scope: null,
  summary: 'Lists channels, each with what came of the alerts that were sent there.',
  input: z.object({}),
  output: z.object({ channels: z.array(ChannelListing) }),
  transaction: false,
  run: async () => {
    const rows = await db().channel.findMany({ orderBy: { name: 'asc' }, include: withGroups })
    return { channels: await Promise.all(rows.map(toListing)) }
  },
})

async function toListing(row: StoredChannel): Promise<ChannelListing> {
  const { id, name, kind, shownAddress, host, port, security, user, sender, recipients } = row
  const { privateAddressAllowed, budgetAlerts, enabled, createdByLabel } = row
  return {
    ...{ id, name, kind, address: shownAddress, host, port, security, user, sender, recipients },
    ...{ privateAddressAllowed, budgetAlerts, enabled, createdByLabel },
    groups: row.groups.map(({ group }) => group),
    ...(await alertState(id)),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Returns what came of the alerts that were sent to a channel. */
async function alertState(channelId: string) {
  const [tried, delivered, waiting] = await Promise.all([
    db().alertDelivery.findFirst({ where: { channelId }, orderBy: { alert: { at: 'desc' } } }),
    db().alertDelivery.findFirst({
      where: { channelId, deliveredAt: { not: null } },
      orderBy: { deliveredAt: 'desc' },
    }),
    db().alertDelivery.count({
      where: {
        ...{ channelId, deliveredAt: null, attempts: { lt: maxAttempts } },
        alert: { at: { gt: new Date(Date.now() - newsForHours * 3_600_000) } },
      },
    }),
  ])
  return {
    lastError: tried?.lastError ?? '',
    lastDeliveredAt: delivered?.deliveredAt?.toISOString() ?? null,
    waiting,
  }
}
