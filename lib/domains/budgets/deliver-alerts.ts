import { z } from 'zod'
import type { ChannelMessage } from '@/lib/domains/channels/shared/delivery'
import { deliverMessages } from '@/lib/domains/rows/deliver-messages'
import { Prisma } from '@/lib/generated/prisma/client'
import { amountWords } from '@/lib/words/format'
import { AlertFacts } from './alert-facts'

/** Older messages are not sent any more. */
const newsForHours = 24

const Alert = z.object({
  alertId: z.string(),
  budgetId: z.string(),
  windowStart: z.date(),
  percent: z.int(),
  facts: AlertFacts,
  at: z.date(),
})

function messageOf({ alertId: id, facts, ...place }: z.output<typeof Alert>): ChannelMessage {
  const { title, unit, amount, spent } = facts
  const since = place.windowStart.toISOString().slice(0, 10)
  return {
    title: `${title} passed ${place.percent} %`,
    text: `${amountWords(spent, unit)} of ${amountWords(amount, unit)} spent since ${since} (UTC).`,
    data: { type: 'budget-alert', id, ...place, ...facts },
  }
}

/** Sends the alerts that are due to every channel for alerts. */
export const deliverAlerts = deliverMessages({
  channels: { budgetAlerts: true },
  table: 'alert_deliveries',
  keys: [{ column: 'alertId', type: 'uuid' }],
  wanted: Prisma.sql`
    SELECT id AS "alertId", "budgetId", "windowStart", percent, facts, at FROM budget_alerts
    WHERE at > now() AT TIME ZONE 'UTC' - make_interval(hours => ${newsForHours})`,
  arose: 'at',
  order: Prisma.sql`w.at, w.percent`,
  row: Alert,
  messageOf,
})
