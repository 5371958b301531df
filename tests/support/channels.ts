import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportAudit } from '@/lib/domains/audit/export-audit'
import { deliverAlerts } from '@/lib/domains/budgets/deliver-alerts'
import { sendToChannel } from '@/lib/domains/channels/send/send-to-channel'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from './fixture-db'

export const webhookSecret = 'a-secret-of-the-webhook'
export const webhookPath = `/hooks/T024-${randomUUID()}`

/** Starts a receiver that counts who asks, and answers as its `answer` says. */
export async function startReceiver() {
  const requests: string[] = []
  const answer: { status: number; headers: Record<string, string> } = { status: 503, headers: {} }
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.writeHead(answer.status, answer.headers).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.close()
    await once(server, 'close')
  }
  return { requests, answer, origin, close }
}

/** Returns a webhook for alerts with everything that it needs. */
export const webhookAt = (address: string) => ({
  name: `Receiver ${randomUUID()}`,
  kind: 'webhook' as const,
  address,
  secret: webhookSecret,
  privateAddressAllowed: true,
  budgetAlerts: true,
})

/** Returns a mail channel that needs no password. */
export const mailAt = (port: number) => ({
  name: `Mail ${randomUUID()}`,
  kind: 'smtp' as const,
  host: '127.0.0.1',
  port,
  sender: 'toolgate@example.com',
  recipients: 'ada@example.com',
  privateAddressAllowed: true,
})

/** Sends what is due, as an engine does. */
export function deliver(): Promise<void> {
  return deliverAlerts(db(), (id, message) => sendToChannel(db(), id, message))
}

/** Returns a channel as its list shows it. */
export async function shownChannel(admin: Ctx, id: string) {
  return (await channelVerbs.list(admin, { sort: 'name' })).rows.find(
    (channel) => channel.id === id,
  )
}

export async function removeChannels(): Promise<void> {
  await db().channel.deleteMany()
  await db().budgetAlert.deleteMany()
  await db().vaultSecret.deleteMany()
}

/** Returns everything about channels that is stored unencrypted, or shown. */
export async function keptInClear(admin: Ctx): Promise<string> {
  const pieces: string[] = []
  for await (const piece of await exportAudit(admin, { format: 'ndjson' })) pieces.push(piece)
  const audit = await db().auditEntry.findMany()
  return JSON.stringify([
    audit,
    pieces,
    await db().setting.findMany(),
    await db().channel.findMany(),
    await db().alertDelivery.findMany(),
    await db().logEntry.findMany(),
    (await channelVerbs.list(admin, { sort: 'name' })).rows,
  ])
}
