import { z } from 'zod'
import { linked, relinked } from '@/lib/domains/rows/group-access'
import { fieldVault } from '@/lib/domains/vault/field-vault'
import { openSecret } from '@/lib/domains/vault/secrets'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { changed, verb } from '@/lib/edge/verb'
import { requireAllowed } from '@/lib/engines/egress/allowed-address'
import { db } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import type { ValuesOf } from '@/lib/shape/field-codec'
import { sendToChannel } from './send/send-to-channel'
import { channels, mailAddresses } from './shape'
import {
  findChannel,
  leadsTo,
  readChannels,
  requireChannel,
  type StoredChannel,
  shownAddress,
} from './stored'

/** The operations on channels. Saying where messages go, and ending that, needs a fresh proof. */
export const channelVerbs = resourceVerbs(channels, {
  summaries: {
    create: 'Adds a channel, which is where messages to people go.',
    update: 'Changes a channel, or switches it. Fields that are left out stay, and so do secrets.',
    remove: 'Deletes a channel with its secrets. Alerts stay under Usage > Budgets.',
    list: 'Lists channels, each with its last alert, its last message about a waiting call and the last one of a run.',
    read: 'Returns one channel with its last alerts, messages about waiting calls and messages of runs.',
  },
  most: 100,
  rows: readChannels,
  store: {
    count: (client) => client.channel.count(),
    find: findChannel,
    insert: (tx, { recipients, ...values }, secrets) =>
      tx.channel.create({
        data: {
          ...linked(values),
          ...shownOf(secrets),
          recipients: mailAddresses(recipients ?? ''),
        },
      }),
    write: (tx, id, { recipients, ...changes }, secrets) =>
      tx.channel.update({
        where: { id },
        data: {
          ...relinked(changes),
          ...shownOf(secrets),
          ...(recipients !== undefined && { recipients: mailAddresses(recipients ?? '') }),
        },
      }),
    remove: ({ tx }, { id }) => tx.channel.delete({ where: { id } }),
  },
  secrets: {
    vault: fieldVault,
    columns: { address: 'addressSecretId', secret: 'secretId', password: 'secretId' },
  },
  needsReauthentication: true,
  prepare: requireReachable,
  check: (_caller, values, before, kept) => {
    const { user, security, host, port } = { ...before, ...values }
    if (typeof user === 'string' && security === 'none') {
      throw new ValidationError({
        security: 'A password is only sent encrypted. Pick TLS or STARTTLS.',
      })
    }
    const moves = before && (host !== before.host || port !== before.port)
    if (!moves || !kept.has('password')) return
    throw new ValidationError({
      password: `Enter the password again. The stored one is for ${before.host} only.`,
    })
  },
  audited: ({ shownAddress: address }) => (address === null ? {} : { leadsTo: address }),
  listed: ({ alerts: [alert], notices: [notice], messages: [message], ...row }) => ({
    leadsTo: leadsTo(row),
    lastAlert: alert ?? null,
    lastNotice: notice ?? null,
    lastRunMessage: message ?? null,
  }),
  detail: ({ alerts, notices, messages }) => ({ alerts, notices, messages }),
})

/** `trouble` says why the message did not arrive, or who did not get it; null = it arrived. */
export const testChannel = verb({
  name: 'channel.test',
  role: 'admin',
  scope: channels.scopes.write,
  summary: 'Sends one test message through a channel, also when it is switched off.',
  input: z.object({ id: z.string() }),
  output: z.object({ isAccepted: z.boolean(), trouble: z.string().nullable() }),
  transaction: 'later',
  run: async ({ change }, { id }) => {
    const { id: subject, name } = await requireChannel(db(), id)
    await change(async () => changed(undefined, { subject, after: { name } }))
    const { isAccepted, trouble } = await sendToChannel(db(), subject, {
      title: 'Test message from Toolgate',
      text: 'This channel works. Nobody has to do anything.',
      data: { type: 'test', at: new Date().toISOString() },
    })
    return { isAccepted, trouble }
  },
})

function shownOf({ address }: { address?: string | null }) {
  return address ? { shownAddress: shownAddress(address) } : {}
}

type Asked = Partial<ValuesOf<typeof channels.fields>>

/**
 * Throws ValidationError for an address that no message could reach, when messages may go to another address or go to one
 * again.
 */
async function requireReachable(request: Asked, before: StoredChannel | null): Promise<void> {
  const { address, host, privateAddressAllowed, enabled } = request
  const leads = [address, host, privateAddressAllowed].some((given) => given !== undefined)
  if (!leads && enabled !== true) return
  const isAllowed = privateAddressAllowed ?? before?.privateAddressAllowed ?? false
  const server = host ?? before?.host ?? null
  if (server !== null) {
    const url = `http://${server.includes(':') ? `[${server}]` : server}`
    await requireAllowed('host', url, isAllowed)
  }
  const secretId = before?.addressSecretId ?? null
  const url = address ?? (secretId && (await openSecret(db(), secretId)))
  if (url !== null) await requireAllowed('address', url, isAllowed)
}
