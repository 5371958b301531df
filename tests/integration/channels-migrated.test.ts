import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { deliverAlerts } from '@/lib/domains/budgets/deliver-alerts'
import { sendToChannel } from '@/lib/domains/channels/send/send-to-channel'
import { storeSecret } from '@/lib/domains/vault/secrets'
import { migrate } from '@/lib/installation/migrate'
import { closeDatabase, openDatabase } from '@/lib/kernel/db'
import { databaseBefore } from '@/tests/support/database-before'
import { db } from '@/tests/support/fixture-db'
import { receiveWebhooks } from '@/tests/support/receive-webhooks'

/** Creates a database as it was before channels, with a webhook and four alerts of it. */
async function databaseWithWebhook(url: string) {
  const { database, client } = await databaseBefore('channels')
  // Sealed with the key of this process, as they were.
  const [secretId, urlId] = [randomUUID(), randomUUID()]
  for (const secret of [
    { id: secretId, purpose: 'alert-webhook-secret', plaintext: 'a-secret-of-the-webhook' },
    { id: urlId, purpose: 'alert-webhook-address', plaintext: url },
  ]) {
    await storeSecret(db(), { ...secret, hidden: true })
    const row = await db().vaultSecret.findUniqueOrThrow({ where: { id: secret.id } })
    await client.query(
      `INSERT INTO vault_secrets (id, purpose, "keyVersion", iv, ciphertext, tag, "lastFour", "updatedAt")
       VALUES ($1, $2, $3, $4, $5, $6, '', now())`,
      [row.id, row.purpose, row.keyVersion, row.iv, row.ciphertext, row.tag],
    )
  }
  const value = { address: 'http://127.0.0.1/…', urlId, secretId, privateAddressAllowed: true }
  await client.query(
    `INSERT INTO settings (key, value, "updatedAt") VALUES ('alert-webhook', $1, now())`,
    [JSON.stringify(value)],
  )
  const alert = async (attempts: number, next: string | null, delivered: string | null) => {
    const facts = { title: 'Daily site budget', unit: 'requests', amount: 4, spent: 4 }
    const { rows } = await client.query(
      `INSERT INTO budget_alerts (id, "budgetId", "windowStart", percent, facts, at, attempts, "nextAttemptAt",
         "deliveredAt", "lastError")
       VALUES ($1, $1, now() AT TIME ZONE 'UTC', 80, $2, now() AT TIME ZONE 'UTC', $3,
         now() AT TIME ZONE 'UTC' + $4::interval, now() AT TIME ZONE 'UTC' + $5::interval, '') RETURNING id`,
      [randomUUID(), JSON.stringify(facts), attempts, next, delivered],
    )
    return String(rows[0].id)
  }
  const ids = {
    untried: await alert(0, null, null),
    due: await alert(3, '-1 minute', null),
    later: await alert(4, '1 hour', null),
    arrived: await alert(1, '-1 minute', '-1 minute'),
    givenUp: await alert(10, '-1 minute', null),
  }
  return { database, client, ids }
}

test('a webhook of budget alerts becomes a channel, and what it has not got yet arrives once', async () => {
  const received: { body: string; signature: string }[] = []
  const receiver = await receiveWebhooks(received)
  const { database, client, ids } = await databaseWithWebhook(`${receiver.url}/alerts`)
  await migrate(database.url)
  const { rows: channels } = await client.query('SELECT * FROM channels')
  expect(channels).toMatchObject([
    {
      name: 'Budget alerts',
      kind: 'webhook',
      enabled: true,
      budgetAlerts: true,
      privateAddressAllowed: true,
      shownAddress: 'http://127.0.0.1/…',
    },
  ])
  const { rows: settings } = await client.query(
    `SELECT 1 FROM settings WHERE key = 'alert-webhook'`,
  )
  expect(settings).toEqual([])
  const opened = openDatabase(database.url, 2)
  const deliver = () =>
    deliverAlerts(opened.client, (id, message) => sendToChannel(opened.client, id, message))
  await deliver()
  await deliver()
  const sent = received.map(({ body }) => String(JSON.parse(body).id))
  expect(sent.sort()).toEqual([ids.untried, ids.due].sort())
  expect(received[0]?.signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
  const { rows: deliveries } = await client.query('SELECT * FROM alert_deliveries')
  const attempts = new Map(deliveries.map((row) => [row.alertId, row.attempts]))
  expect(Object.entries(ids).map(([name, id]) => [name, attempts.get(id)])).toEqual([
    ['untried', 1] as const,
    ['due', 4],
    ['later', 4],
    ['arrived', 1],
    ['givenUp', 10],
  ])
  await closeDatabase(opened)
  await client.end()
  await database.drop()
  await receiver.close()
})
