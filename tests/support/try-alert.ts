import { expect } from 'vitest'
import { deliverAlerts } from '@/lib/domains/budgets/deliver-alerts'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { sendToChannel } from '@/lib/domains/channels/send/send-to-channel'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import type { Stage } from './document-stage'
import { db } from './fixture-db'
import { receiveWebhooks } from './receive-webhooks'

/** Leaves an alert and compares what a webhook is sent with what is shown; the engine may send it first. */
export async function tryAlert(text: string, { admin }: Stage): Promise<void> {
  const received: { body: string; signature: string }[] = []
  const receiver = await receiveWebhooks(received)
  await channelVerbs.create(admin, {
    name: 'Receiver',
    kind: 'webhook',
    address: receiver.url,
    secret: 'a-secret-of-the-webhook',
    privateAddressAllowed: true,
    budgetAlerts: true,
  })
  const shown = JSON.parse(text)
  const { id: budgetId } = await budgetVerbs.create(admin, {
    scope: 'site',
    window: 'month',
    unit: shown.unit,
    amount: shown.amount,
  })
  const { title, unit, amount, spent, percent, windowStart } = shown
  await db().budgetAlert.create({
    data: { budgetId, windowStart, percent, facts: { title, unit, amount, spent } },
  })
  await deliverAlerts(db(), (id, message) => sendToChannel(db(), id, message))
  await expect.poll(() => received.length).toBeGreaterThan(0)
  await receiver.close()
  const sent = JSON.parse(received[0]?.body ?? '{}')
  expect({ ...sent, id: '…', budgetId: '…', at: '…' }).toEqual(shown)
}
