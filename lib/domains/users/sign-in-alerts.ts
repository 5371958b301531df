import { z } from 'zod'
import type { ChannelMessage } from '@/lib/domains/channels/shared/delivery'
import { type DeliverDue, deliverMessages } from '@/lib/domains/rows/deliver-messages'
import { makeChange } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { systemCtx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { holdLock } from '@/lib/kernel/locks'

/** The beginning of the reason of each refusal in the audit whose cause the identity provider reported. */
export const refusedAtProvider = 'Refused after the identity provider: '

/** Number of refusals within an hour, because of unknown groups, that causes a message. */
const least = 5
const action = 'sign-in.alert'
const newsForHours = 24

const Alert = z.object({
  alertId: z.string(),
  at: z.date(),
  facts: z.object({ refusals: z.int(), claim: z.string() }),
})

function messageOf({ alertId: id, at, facts }: z.output<typeof Alert>): ChannelMessage {
  const { refusals, claim } = facts
  const url = new URL('/audit?action=sign-in.fail', env().TOOLGATE_URL).href
  return {
    title: `Sign-ins through ${env().TOOLGATE_OIDC_NAME} are refused`,
    text: `${refusals} sign-ins within an hour were refused because the groups of the person (claim "${claim}") were absent or could not be read. Accounts without the claim are suspended. Check what the identity provider sends. ${url}`,
    data: { type: 'sign-ins-refused', id, at, refusals, claim, url },
  }
}

const deliver = deliverMessages({
  channels: { budgetAlerts: true },
  table: 'audit_notices',
  keys: [{ column: 'alertId', type: 'uuid' }],
  wanted: Prisma.sql`
    SELECT id AS "alertId", at, after AS facts FROM audit_entries
    WHERE action = ${action} AND at > now() AT TIME ZONE 'UTC' - make_interval(hours => ${newsForHours})`,
  arose: 'at',
  order: Prisma.sql`w.at`,
  row: Alert,
  messageOf,
})

/** Tells every channel for alerts, once an hour at most, that people cannot sign in because nobody can know their groups. */
export const deliverSignInAlerts: DeliverDue = async (tx, send) => {
  if (!env().TOOLGATE_OIDC_ISSUER) return
  if ((await countRefusals(tx)) >= least) await addAlert()
  await deliver(tx, send)
}

/** Returns how many sign-ins of the last hour were refused for that, and 0 when there is an alert about them. A row counts those of an hour. */
async function countRefusals(tx: Tx): Promise<number> {
  const [row] = await tx.$queryRaw<{ refusals: number }[]>`
    SELECT coalesce(sum(count), 0)::int AS refusals FROM audit_entries
    WHERE action = 'sign-in.fail' AND starts_with(reason, ${`${refusedAtProvider}groups-`})
      AND at > now() AT TIME ZONE 'UTC' - interval '2 hours'
      AND "lastAt" > now() AT TIME ZONE 'UTC' - interval '1 hour'
      AND NOT EXISTS (SELECT 1 FROM audit_entries
        WHERE action = ${action} AND at > now() AT TIME ZONE 'UTC' - interval '1 hour')`
  return row?.refusals ?? 0
}

async function addAlert(): Promise<void> {
  await makeChange(async (tx) => {
    // Several servers count at the same time, and one of them adds the alert.
    await holdLock(tx, 'signInAlerts')
    const refusals = await countRefusals(tx)
    const after = { refusals, claim: env().TOOLGATE_OIDC_GROUPS_CLAIM }
    const alert = { by: systemCtx(), action, subject: null, after } as const
    return { output: undefined, changes: refusals >= least ? [alert] : [] }
  })
}
