import { z } from 'zod'
import { type ChangeTx, db, isUniqueViolation } from '../../kernel/db'
import { ConflictError, ValidationError } from '../../kernel/errors'
import { changed, unchanged, verb } from '../../kernel/verb'
import { openSecret } from '../vault/secrets'
import {
  type ChannelValues,
  requireFitting,
  requireGroups,
  requireReachableChannel,
} from './checks'
import { CreateChannel, UpdateChannel } from './schemas'
import { sendToChannel } from './send-to-channel'
import {
  channelFacts,
  type GivenSecrets,
  requireChannel,
  type StoredChannel,
  storeSecrets,
  withGroups,
} from './stored'

/** The most channels, because lists read all of them. */
const maxChannels = 100

/** Throws ValidationError for an address that nobody allowed, ConflictError when the name is taken. */
export const createChannel = verb({
  name: 'channel.create',
  role: 'admin',
  scope: null,
  summary: 'Adds a channel, which is where messages to people go.',
  reason: 'optional',
  input: CreateChannel,
  output: z.object({ id: z.string() }),
  needsProof: () => true,
  transaction: 'later',
  run: async ({ actor, change }, values) => {
    requireFitting(values, new Set())
    // No transaction waits for a DNS lookup.
    await requireReachable(values, null)
    return change(async (tx) => {
      if ((await tx.channel.count()) >= maxChannels) {
        throw new ConflictError(
          `There are already ${maxChannels} channels, the maximum. Delete one first.`,
        )
      }
      const { groupIds, address, secret, password, ...columns } = values
      await requireGroups(tx, groupIds)
      const secrets = await storeSecrets(tx, values, { address, secret, password })
      const row = await tx.channel
        .create({
          data: {
            ...{ ...columns, ...secrets, createdByLabel: actor.email },
            groups: { create: [...new Set(groupIds)].map((groupId) => ({ groupId })) },
          },
          include: withGroups,
        })
        .catch(explainTakenName)
      return changed({ id: row.id }, { subject: row.id, after: channelFacts(row) })
    })
  },
})

/**
 * Changes a channel. Throws ConflictError when somebody changed it at the same moment, ValidationError where its
 * password would go to another mail server than the one it was given for.
 */
export const updateChannel = verb({
  name: 'channel.update',
  role: 'admin',
  scope: null,
  summary: 'Changes a channel, or switches it. Fields that are left out stay, and so do secrets.',
  reason: 'optional',
  input: UpdateChannel,
  needsProof: () => true,
  audits: ['channel.update', 'channel.switch-on', 'channel.switch-off'],
  transaction: 'later',
  run: async ({ change }, { id, ...asked }) => {
    const before = await requireChannel(db(), id)
    const values = mergedValues(before, asked)
    requireFitting(values, keptSecrets(before, asked))
    requirePasswordAgain(before, values, asked)
    if (leadsElsewhere(asked)) await requireReachable(values, before)
    await change(async (tx) => {
      const where = { id: before.id, updatedAt: before.updatedAt }
      const { address, secret, password, groupIds, ...columns } = asked
      const secrets = await storeSecrets(tx, before, { address, secret, password })
      const data = { ...columns, ...secrets }
      const { count } = await tx.channel.updateMany({ where, data }).catch(explainTakenName)
      if (count === 0) throw new ConflictError('Somebody changed this channel. Try again.')
      if (groupIds !== undefined) await writeGroups(tx, before.id, groupIds)
      return difference(before, await requireChannel(tx, before.id), asked)
    })
  },
})

type Asked = Omit<z.output<typeof UpdateChannel>, 'id'>

function difference(before: StoredChannel, row: StoredChannel, asked: Asked) {
  const secretsGiven = secretFields.filter((field) => asked[field] !== undefined)
  const [old, now] = [channelFacts(before), channelFacts(row)]
  const after = { ...now, ...(secretsGiven.length > 0 && { entered: secretsGiven }) }
  const isSame = JSON.stringify(old) === JSON.stringify(after)
  if (isSame) return unchanged(undefined)
  const rest = { subject: row.id, before: old, after }
  const isSwitch = JSON.stringify({ ...old, enabled: row.enabled }) === JSON.stringify(after)
  if (!isSwitch) return changed(undefined, rest)
  const action = row.enabled ? ('channel.switch-on' as const) : ('channel.switch-off' as const)
  return changed(undefined, { ...rest, action })
}

/** Throws NotFoundError when it is gone. */
export const deleteChannel = verb({
  name: 'channel.delete',
  role: 'admin',
  scope: null,
  summary: 'Deletes a channel with its secrets. Alerts stay under Budgets.',
  reason: 'optional',
  input: z.object({ id: z.string() }),
  needsProof: () => true,
  run: async ({ tx }, { id }) => {
    const row = await requireChannel(tx, id)
    await tx.channel.delete({ where: { id: row.id } })
    const secrets = [row.addressSecretId, row.secretId].filter((each) => each !== null)
    await tx.vaultSecret.deleteMany({ where: { id: { in: secrets } } })
    return changed(undefined, { subject: row.id, before: channelFacts(row), after: null })
  },
})

/** `trouble` says why the message did not arrive, or who did not get it; null = it arrived. */
export const testChannel = verb({
  name: 'channel.test',
  role: 'admin',
  scope: null,
  summary: 'Sends one test message through a channel, also when it is switched off.',
  input: z.object({ id: z.string() }),
  output: z.object({ isAccepted: z.boolean(), trouble: z.string().nullable() }),
  transaction: 'later',
  run: async ({ change }, { id }) => {
    const row = await requireChannel(db(), id)
    await change(async () => changed(undefined, { subject: row.id }))
    const { isAccepted, trouble } = await sendToChannel(db(), row.id, {
      title: 'Test message from Toolgate',
      text: 'This channel works. Nobody has to do anything.',
      data: { type: 'test', at: new Date().toISOString() },
    })
    return { isAccepted, trouble }
  },
})

function explainTakenName(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw new ConflictError('Another channel has this name.', 'name')
}

async function writeGroups(tx: ChangeTx, channelId: string, groupIds: string[]): Promise<void> {
  await requireGroups(tx, groupIds)
  await tx.channelGroup.deleteMany({ where: { channelId, groupId: { notIn: groupIds } } })
  const data = groupIds.map((groupId) => ({ channelId, groupId }))
  await tx.channelGroup.createMany({ data, skipDuplicates: true })
}

const secretFields = ['address', 'secret', 'password'] as const

/** Returns the values after a change; secrets that are not given are null. */
function mergedValues(row: StoredChannel, asked: Asked): ChannelValues {
  const { name, kind, host, port, security, user, sender, recipients } = row
  const { privateAddressAllowed, budgetAlerts, enabled } = row
  return {
    ...{ name, kind, address: null, secret: null, password: null },
    ...{ host, port, security, user, sender, recipients },
    ...{ privateAddressAllowed, budgetAlerts, enabled },
    groupIds: row.groups.map(({ group }) => group.id),
    ...asked,
  }
}

/** Returns the secrets that are stored and that a change leaves as they are. */
function keptSecrets(row: StoredChannel, asked: GivenSecrets): Set<keyof ChannelValues> {
  const stored = {
    address: row.addressSecretId !== null,
    secret: row.kind === 'webhook' && row.secretId !== null,
    password: row.kind === 'smtp' && row.secretId !== null,
  }
  return new Set(secretFields.filter((field) => stored[field] && asked[field] === undefined))
}

function requirePasswordAgain(row: StoredChannel, values: ChannelValues, asked: Asked): void {
  if (!keptSecrets(row, asked).has('password')) return
  if (values.host === row.host && values.port === row.port) return
  throw new ValidationError({
    password: `Enter the password again. The stored one is for ${row.host} only.`,
  })
}

/** Returns whether messages may go to another address after a change, or go to one again. */
function leadsElsewhere({ address, host, privateAddressAllowed, enabled }: Asked): boolean {
  return enabled === true || [address, host, privateAddressAllowed].some((it) => it !== undefined)
}

/** Throws ValidationError for an address that no message could reach. */
async function requireReachable(values: ChannelValues, row: StoredChannel | null): Promise<void> {
  const { kind, host, privateAddressAllowed } = values
  if (kind === 'smtp' && host !== null) {
    const url = `http://${host.includes(':') ? `[${host}]` : host}`
    return requireReachableChannel('host', url, privateAddressAllowed)
  }
  const stored = row?.addressSecretId ?? null
  const address = values.address ?? (stored && (await openSecret(db(), stored)))
  if (address !== null) await requireReachableChannel('address', address, privateAddressAllowed)
}
