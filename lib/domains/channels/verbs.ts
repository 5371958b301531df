import { z } from 'zod'
import { type ChangeTx, db } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { type ResourceVerbs, resourceVerbs } from '../../kernel/resource-verbs'
import { changed, verb } from '../../kernel/verb'
import { defaultsOf } from '../../protocol/field-codec'
import { openSecret } from '../vault/secrets'
import { type ChannelValues, requireFitting, requireReachableChannel } from './checks'
import { sendToChannel } from './send-to-channel'
import { channels, mailAddresses } from './shape'
import {
  alertOutcome,
  findChannel,
  requireChannel,
  type StoredChannel,
  storedChannel,
  storeSecrets,
  withAlerts,
} from './stored'

const leftOut = { ...defaultsOf(channels.fields), name: '', kind: 'webhook' as const }
const noSecrets = { address: null, secret: null, password: null }

/** The operations without what comes before their transactions. */
const stored = resourceVerbs(channels, {
  summaries: {
    create: 'Adds a channel, which is where messages to people go.',
    update: 'Changes a channel, or switches it. Fields that are left out stay, and so do secrets.',
    remove: 'Deletes a channel with its secrets. Alerts stay under Budgets.',
    list: 'Lists channels, each with its last alert.',
    read: 'Returns one channel with its last alerts.',
  },
  most: 100,
  store: {
    count: (client) => client.channel.count(),
    rows: async (client) =>
      (await client.channel.findMany({ include: withAlerts })).map(storedChannel),
    find: findChannel,
    insert: async (tx, { groupIds, address, secret, password, recipients, ...columns }) => {
      const secrets = await storeSecrets(tx, columns, { address, secret, password })
      const groups = { create: [...new Set(groupIds)].map((groupId) => ({ groupId })) }
      const to = { recipients: mailAddresses(recipients ?? '') }
      return tx.channel.create({ data: { ...columns, ...secrets, ...to, groups } })
    },
    write: async (tx, id, { groupIds, address, secret, password, recipients, ...columns }) => {
      const before = await requireChannel(tx, id)
      const secrets = await storeSecrets(tx, before, { address, secret, password })
      const to = recipients !== undefined && { recipients: mailAddresses(recipients ?? '') }
      await tx.channel.update({ where: { id }, data: { ...columns, ...secrets, ...to } })
      if (groupIds !== undefined) await writeGroups(tx, id, groupIds)
    },
    remove: async (tx, id) => {
      const { addressSecretId, secretId } = await tx.channel.delete({ where: { id } })
      const secrets = [addressSecretId, secretId].filter((each) => each !== null)
      await tx.vaultSecret.deleteMany({ where: { id: { in: secrets } } })
    },
  },
  check: (_caller, values, before) => {
    const merged = { ...leftOut, ...before, ...noSecrets, ...values }
    const kept = before ? keptSecrets(before, values) : new Set<keyof ChannelValues>()
    requireFitting(merged, kept)
    const moves = before && (merged.host !== before.host || merged.port !== before.port)
    if (!moves || !kept.has('password')) return
    throw new ValidationError({
      password: `Enter the password again. The stored one is for ${before.host} only.`,
    })
  },
  audited: ({ shownAddress }) => (shownAddress === null ? {} : { leadsTo: shownAddress }),
  listed: ({ kind, shownAddress, host, deliveries: [last] }) => ({
    leadsTo: (kind === 'smtp' ? host : shownAddress) ?? '',
    lastAlert: last ? alertOutcome(last) : null,
  }),
  detail: ({ deliveries }) => ({ alerts: deliveries.map(alertOutcome) }),
  searched: ({ name, leadsTo, sender, recipients }) => [name, leadsTo, sender, recipients],
  orders: {
    name: ({ name }) => name.toLowerCase(),
    kind: ({ kind }) => kind,
    state: ({ enabled }) => Number(enabled),
  },
  fits: ({ kind }, wanted) => wanted.kind === undefined || wanted.kind === kind,
})

/** An outer operation leaves the audit row to the inner one. */
const around = {
  role: 'admin',
  scope: channels.scopes.write,
  reason: 'optional',
  transaction: false,
  needsProof: () => true,
} as const

/**
 * The operations on channels. Saying where messages go, and ending that, needs a fresh proof. Addresses are looked up
 * before a transaction begins; throws ValidationError for those that no message may reach.
 */
export const channelVerbs: ResourceVerbs<typeof channels> = {
  ...stored,
  create: verb({
    ...around,
    name: 'channel.create',
    summary: stored.create.definition.summary,
    input: channels.Create,
    output: z.object({ id: z.string() }),
    audits: ['channel.create'],
    run: async ({ ctx, reason }, values) => {
      await requireReachable(values, null)
      return stored.create(ctx, { ...values, reason })
    },
  }),
  update: verb({
    ...around,
    name: 'channel.update',
    summary: stored.update.definition.summary,
    input: channels.Update,
    audits: ['channel.update', 'channel.switch-on', 'channel.switch-off'],
    run: async ({ ctx, reason }, asked) => {
      if (leadsElsewhere(asked)) await requireReachable(asked, await requireChannel(db(), asked.id))
      await stored.update(ctx, { ...asked, reason })
    },
  }),
  remove: verb({
    ...around,
    name: 'channel.delete',
    summary: stored.remove.definition.summary,
    input: z.object({ id: z.string() }),
    audits: ['channel.delete'],
    run: async ({ ctx, reason }, { id }) => stored.remove(ctx, { id, reason }),
  }),
}

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

async function writeGroups(tx: ChangeTx, channelId: string, groupIds: string[]): Promise<void> {
  await tx.channelGroup.deleteMany({ where: { channelId, groupId: { notIn: groupIds } } })
  const data = groupIds.map((groupId) => ({ channelId, groupId }))
  await tx.channelGroup.createMany({ data, skipDuplicates: true })
}

/** Returns the secrets that are stored and that a change leaves as they are. */
function keptSecrets(
  row: StoredChannel,
  given: Partial<ChannelValues>,
): ReadonlySet<keyof ChannelValues> {
  const isStored = {
    address: row.addressSecretId !== null,
    secret: row.kind === 'webhook' && row.secretId !== null,
    password: row.kind === 'smtp' && row.secretId !== null,
  }
  const names = ['address', 'secret', 'password'] as const
  return new Set(names.filter((name) => isStored[name] && given[name] === undefined))
}

type Asked = Partial<Pick<ChannelValues, 'address' | 'host' | 'privateAddressAllowed' | 'enabled'>>

/** Returns whether messages may go to another address after a change, or go to one again. */
function leadsElsewhere({ address, host, privateAddressAllowed, enabled }: Asked): boolean {
  return enabled === true || [address, host, privateAddressAllowed].some((it) => it !== undefined)
}

/** Throws ValidationError for an address that no message could reach. */
async function requireReachable(asked: Asked, before: StoredChannel | null): Promise<void> {
  const isAllowed = asked.privateAddressAllowed ?? before?.privateAddressAllowed ?? false
  const host = asked.host ?? before?.host ?? null
  if (host !== null) {
    const url = `http://${host.includes(':') ? `[${host}]` : host}`
    await requireReachableChannel('host', url, isAllowed)
  }
  const secretId = before?.addressSecretId ?? null
  const address = asked.address ?? (secretId && (await openSecret(db(), secretId)))
  if (address !== null) await requireReachableChannel('address', address, isAllowed)
}
