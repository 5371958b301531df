import { z } from 'zod'
import type { Tx } from '../../kernel/db'
import type { ChannelMessage, Delivery, SendToChannel } from '../../protocol/delivery'
import { amountWords } from '../../protocol/format'
import { AlertFacts } from './alert-facts'

const atOnce = 20
/** So often a message is tried; the waits double, beginning with this one. */
const maxAttempts = 10
const firstPauseSeconds = 30
/** Older messages are not sent any more. */
const newsForHours = 24

/**
 * Sends the alerts that are due to every channel for alerts; one that is slow keeps no other waiting. A process claims
 * an alert by postponing its next attempt, so that no two send it at once. When a process dies before sending, the next
 * attempt sends it.
 */
export async function deliverAlerts(tx: Tx, send: SendToChannel): Promise<void> {
  const channels = await tx.channel.findMany({ where: { enabled: true, budgetAlerts: true } })
  await Promise.all(channels.map(({ id }) => deliverTo(tx, id, send)))
}

async function deliverTo(tx: Tx, channelId: string, send: SendToChannel): Promise<void> {
  for (let count = 0; count < atOnce; count++) {
    const alert = await claimAlert(tx, channelId)
    if (!alert) return
    await record(tx, { channelId, alertId: alert.id }, await send(channelId, messageOf(alert)))
  }
}

const Claimed = z.object({
  id: z.string(),
  budgetId: z.string(),
  windowStart: z.date(),
  percent: z.int(),
  facts: AlertFacts,
  at: z.date(),
})
type Claimed = z.output<typeof Claimed>

function messageOf({ facts, ...place }: Claimed): ChannelMessage {
  const { title, unit, amount, spent } = facts
  const since = place.windowStart.toISOString().slice(0, 10)
  return {
    title: `${title} passed ${place.percent} %`,
    text: `${amountWords(spent, unit)} of ${amountWords(amount, unit)} spent since ${since} (UTC).`,
    data: { type: 'budget-alert', ...place, ...facts },
  }
}

async function claimAlert(tx: Tx, channelId: string): Promise<Claimed | null> {
  // Another process that claims the same alert waits for the insertion, and then finds it not due.
  const rows = await tx.$queryRaw<unknown[]>`
    WITH due AS (
      SELECT a.id FROM budget_alerts a
      LEFT JOIN alert_deliveries d ON d."alertId" = a.id AND d."channelId" = ${channelId}::uuid
      WHERE a.at > now() AT TIME ZONE 'UTC' - make_interval(hours => ${newsForHours})
        AND (d."alertId" IS NULL OR d."deliveredAt" IS NULL AND d.attempts < ${maxAttempts}
          AND d."nextAttemptAt" <= now() AT TIME ZONE 'UTC')
      ORDER BY a.at, a.percent LIMIT 1),
    claimed AS (
      INSERT INTO alert_deliveries AS d ("alertId", "channelId", attempts, "nextAttemptAt")
      SELECT id, ${channelId}::uuid, 1,
        now() AT TIME ZONE 'UTC' + make_interval(secs => ${firstPauseSeconds}) FROM due
      ON CONFLICT ("alertId", "channelId") DO UPDATE SET attempts = d.attempts + 1,
        "nextAttemptAt" = now() AT TIME ZONE 'UTC'
          + make_interval(secs => ${firstPauseSeconds} * 2 ^ d.attempts)
      WHERE d."deliveredAt" IS NULL AND d."nextAttemptAt" <= now() AT TIME ZONE 'UTC'
      RETURNING d."alertId")
    SELECT a.id, a."budgetId", a."windowStart", a.percent, a.facts, a.at
    FROM claimed c JOIN budget_alerts a ON a.id = c."alertId"`
  return z.array(Claimed).parse(rows)[0] ?? null
}

type Place = { alertId: string; channelId: string }

/** Stores what came of an attempt. A receiver that asks for a longer wait gets it. */
async function record(
  tx: Tx,
  { alertId, channelId }: Place,
  { isAccepted, trouble, retryAfterSeconds }: Delivery,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE alert_deliveries SET "lastError" = ${trouble ?? ''},
      "deliveredAt" = CASE WHEN ${isAccepted} THEN now() AT TIME ZONE 'UTC' END,
      "nextAttemptAt" = greatest("nextAttemptAt",
        now() AT TIME ZONE 'UTC' + make_interval(secs => ${retryAfterSeconds ?? 0}))
    WHERE "alertId" = ${alertId}::uuid AND "channelId" = ${channelId}::uuid
      AND "deliveredAt" IS NULL`
}
