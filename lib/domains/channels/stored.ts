import { z } from 'zod'
import { groupLinks, withGroups } from '@/lib/domains/rows/group-access'
import { requireStored } from '@/lib/edge/resource-reads'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { AlertOutcome, channels, NoticeOutcome, RunMessageOutcome } from './shape'

const shownMessages = 20

type ChannelRow = Prisma.ChannelGetPayload<{ include: typeof groupLinks }>
export type StoredChannel = Awaited<ReturnType<typeof readChannels>>[number]

/** Returns a channel as it is stored, by its id or name. Throws NotFoundError. */
export const requireChannel = requireStored(channels, findChannel)

/** Returns a channel with the messages that were tried last; null = there is none. */
export async function findChannel(
  tx: Tx,
  reference: { id: string } | { name: string },
): Promise<StoredChannel | null> {
  const row = await tx.channel.findUnique({ where: reference, include: groupLinks })
  const [stored = null] = row ? await withMessages(tx, [row], shownMessages) : []
  return stored
}

/** Returns all channels, each with the message of each kind that was tried last. */
export async function readChannels(tx: Tx) {
  return withMessages(tx, await tx.channel.findMany({ include: groupLinks }), 1)
}

/** Returns channels with the values of their fields, and so many messages of each kind. */
async function withMessages(tx: Tx, rows: readonly ChannelRow[], most: number) {
  const ids = rows.map(({ id }) => id)
  // A transaction has one connection, so these statements follow one another.
  const alerts = await readLast(tx, ids, most, alertsOf, AlertOutcome)
  const notices = await readLast(tx, ids, most, noticesOf, NoticeOutcome)
  const sent = await readLast(tx, ids, most, sentByRuns, RunMessageOutcome)
  return rows.map(({ recipients, ...row }) => {
    const to = recipients.length === 0 ? null : recipients.join(', ')
    const messages = { alerts: alerts(row.id), notices: notices(row.id), messages: sent(row.id) }
    return { ...withGroups(row), recipients: to, ...messages }
  })
}

const alertsOf = Prisma.sql`
  SELECT d.*, a.at, a.percent, a.facts->>'title' AS title
  FROM alert_deliveries d JOIN budget_alerts a ON a.id = d."alertId"`

const noticesOf = Prisma.sql`
  SELECT d.*, a."requestedAt" AS at, a."runId", a."toolName"
  FROM approval_notices d JOIN approvals a ON a.id = d."approvalId"`

const sentByRuns = Prisma.sql`SELECT d.* FROM run_messages d`

const Tried = z.object({
  channelId: z.string(),
  at: z.date(),
  attemptedAt: z.date(),
  deliveredAt: z.date().nullable(),
  lastError: z.string(),
})

/** Reads the messages that were tried last at each channel, the last one first. */
async function readLast<T extends z.ZodType>(
  tx: Tx,
  channelIds: readonly string[],
  most: number,
  messages: Prisma.Sql,
  outcome: T,
): Promise<(channelId: string) => z.output<T>[]> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT last.* FROM unnest(${channelIds}::uuid[]) AS c(id) CROSS JOIN LATERAL (
      ${messages} WHERE d."channelId" = c.id ORDER BY d."attemptedAt" DESC LIMIT ${most}) last
    ORDER BY last."attemptedAt" DESC`
  const read = rows.map((row) => {
    const { channelId, at, attemptedAt, deliveredAt, lastError: trouble } = Tried.parse(row)
    const times = {
      at: at.toISOString(),
      attemptedAt: attemptedAt.toISOString(),
      deliveredAt: deliveredAt?.toISOString() ?? null,
    }
    return { channelId, value: outcome.parse({ ...Object(row), ...times, trouble }) }
  })
  return (id) => read.flatMap(({ channelId, value }) => (channelId === id ? [value] : []))
}

/** Returns the part of an address that people may see: "https://hooks.example.com/…". */
export function shownAddress(url: string): string {
  return `${new URL(url).origin}/…`
}

/** Returns what people may see of where a channel leads; "" = it has no address yet. */
export function leadsTo({
  kind,
  host,
  shownAddress: address,
}: Pick<ChannelRow, 'kind' | 'host' | 'shownAddress'>): string {
  return (kind === 'smtp' ? host : address) ?? ''
}
