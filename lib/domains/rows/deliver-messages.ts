import 'server-only'
import type { z } from 'zod'
import type {
  ChannelMessage,
  Delivery,
  SendToChannel,
} from '@/lib/domains/channels/shared/delivery'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Database, Tx } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'

const atOnce = 20
/** So often a message is tried; the waits double, beginning with this one. */
const maxAttempts = 10
const firstPauseSeconds = 30

/** Sends the messages of one kind that are due. */
export type DeliverDue = (tx: Tx, send: SendToChannel) => Promise<void>

/**
 * Messages that each channel which wants them gets once. `wanted` selects those that are news now, with the columns of
 * `keys`, which name a message in `table` beside its channel, and those of `order`. What arose before the
 * installation was restored from a backup is no news: the one that the backup is of tells it.
 */
type MessageKind<Key extends string, Row extends Record<Key, string>> = {
  channels: { budgetAlerts: true } | { approvalAlerts: true }
  table: 'alert_deliveries' | 'approval_notices' | 'audit_notices'
  /** Each with its type in the database. */
  keys: readonly { column: Key; type: 'uuid' | '"ApprovalNoticeKind"' }[]
  wanted: Prisma.Sql
  /** The column that says when it arose. */
  arose: 'at' | 'requestedAt'
  order: Prisma.Sql
  row: z.ZodType<Row>
  messageOf: (row: Row) => ChannelMessage
}

/**
 * Returns the function that sends what is due to every channel; one that is slow keeps no other waiting. A process claims a
 * message by postponing its next attempt, so that no two send it at once. When a process dies before sending, the next
 * attempt sends it.
 */
export function deliverMessages<Key extends string, Row extends Record<Key, string>>(
  kind: MessageKind<Key, Row>,
): DeliverDue {
  const deliverTo = async (tx: Tx, send: SendToChannel, channelId: string): Promise<void> => {
    for (let count = 0; count < atOnce; count++) {
      const row = await claim(tx, kind, channelId)
      if (!row) return
      await record(tx, kind, { channelId, row }, await send(channelId, kind.messageOf(row)))
    }
  }
  return async (tx, send) => {
    const channels = await tx.channel.findMany({ where: { enabled: true, ...kind.channels } })
    await Promise.all(channels.map(({ id }) => deliverTo(tx, send, id)))
  }
}

/**
 * Returns the function that an engine calls now and then: it begins to send what is due, and waits for nothing, because a
 * receiver may be slow. What failed is sent again at a later call.
 */
export function openDelivery({ client }: Database, deliver: DeliverDue, send: SendToChannel) {
  let delivering = false
  return (): void => {
    if (delivering) return
    delivering = true
    deliver(client, send)
      .catch((error) =>
        log.warn(
          { source: 'channels', error: String(error) },
          'Cannot send messages; trying again',
        ),
      )
      .finally(() => {
        delivering = false
      })
  }
}

/** Claims the next message that is due for a channel; null = there is none. */
async function claim<Key extends string, Row extends Record<Key, string>>(
  tx: Tx,
  { table: name, keys, wanted, arose, order, row }: MessageKind<Key, Row>,
  channelId: string,
): Promise<Row | null> {
  const table = Prisma.raw(name)
  const columns = Prisma.raw(keys.map(({ column }) => `"${column}"`).join(', '))
  // Another process that claims the same message waits for the insertion, and then finds it not due.
  const rows = await tx.$queryRaw<unknown[]>`
    WITH wanted AS (${wanted}),
    due AS (
      SELECT ${columns} FROM wanted w
      LEFT JOIN (SELECT * FROM ${table} WHERE "channelId" = ${channelId}::uuid) d USING (${columns})
      WHERE (d."channelId" IS NULL OR d."deliveredAt" IS NULL AND d.attempts < ${maxAttempts}
          AND d."nextAttemptAt" <= now() AT TIME ZONE 'UTC')
        AND NOT EXISTS (SELECT FROM audit_entries restored
          WHERE restored.action = 'site.restore' AND restored.at >= w.${Prisma.raw(`"${arose}"`)}
            AND restored.at <= now() AT TIME ZONE 'UTC')
      ORDER BY ${order} LIMIT 1),
    claimed AS (
      INSERT INTO ${table} AS d (${columns}, "channelId", attempts, "attemptedAt", "nextAttemptAt")
      SELECT ${columns}, ${channelId}::uuid, 1, now() AT TIME ZONE 'UTC',
        now() AT TIME ZONE 'UTC' + make_interval(secs => ${firstPauseSeconds}) FROM due
      ON CONFLICT (${columns}, "channelId") DO UPDATE SET attempts = d.attempts + 1,
        "attemptedAt" = excluded."attemptedAt",
        "nextAttemptAt" = now() AT TIME ZONE 'UTC'
          + make_interval(secs => ${firstPauseSeconds} * 2 ^ d.attempts)
      WHERE d."deliveredAt" IS NULL AND d."nextAttemptAt" <= now() AT TIME ZONE 'UTC'
      RETURNING ${columns})
    SELECT w.* FROM claimed JOIN wanted w USING (${columns})`
  return rows.length === 0 ? null : row.parse(rows[0])
}

/** Stores what came of an attempt. A receiver that asks for a longer wait gets it. */
async function record<Key extends string, Row extends Record<Key, string>>(
  tx: Tx,
  { table, keys }: MessageKind<Key, Row>,
  { channelId, row }: { channelId: string; row: Row },
  { isAccepted, trouble, retryAfterSeconds }: Delivery,
): Promise<void> {
  if (trouble !== null) {
    log.warn({ source: 'channels', channelId, trouble }, 'A message to a channel was refused')
  }
  const place = keys.map(
    ({ column, type }) =>
      Prisma.sql`${Prisma.raw(`"${column}"`)} = ${row[column]}::${Prisma.raw(type)}`,
  )
  await tx.$executeRaw`
    UPDATE ${Prisma.raw(table)} SET "lastError" = ${trouble ?? ''},
      "deliveredAt" = CASE WHEN ${isAccepted} THEN now() AT TIME ZONE 'UTC' END,
      "nextAttemptAt" = greatest("nextAttemptAt",
        now() AT TIME ZONE 'UTC' + make_interval(secs => ${retryAfterSeconds ?? 0}))
    WHERE ${Prisma.join(place, ' AND ')} AND "channelId" = ${channelId}::uuid
      AND "deliveredAt" IS NULL`
}
