import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import type { ChangeTx, Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { openSecret, replaceSecret, storeSecret } from '../vault/secrets'
import type { OpenChannel } from './send/send-message'
import { type AlertOutcome, mailAddresses, usualPorts } from './shape'

const shownAlerts = 20

/** What is read with a channel: the groups that may use it, and its last alerts. */
export const withAlerts = {
  groups: { select: { group: { select: { id: true, name: true } } } },
  deliveries: {
    orderBy: { alert: { at: 'desc' } },
    take: shownAlerts,
    include: { alert: { select: { facts: true, percent: true, at: true } } },
  },
} as const satisfies Prisma.ChannelInclude
const { groups: withGroups, deliveries: newest } = withAlerts

type ChannelRow = Prisma.ChannelGetPayload<{ include: typeof withAlerts }>
export type StoredChannel = ReturnType<typeof storedChannel>

/** Throws NotFoundError when it is gone. */
export async function requireChannel(tx: Tx, id: string): Promise<StoredChannel> {
  const row = await findChannel(tx, parseId(id, 'This channel'))
  if (!row) throw new NotFoundError('This channel')
  return row
}

export async function findChannel(tx: Tx, id: string): Promise<StoredChannel | null> {
  const row = await tx.channel.findUnique({ where: { id }, include: { groups: withGroups } })
  if (!row) return null
  // A transaction has one connection, so these statements follow one another.
  const deliveries = await tx.alertDelivery.findMany({ where: { channelId: id }, ...newest })
  return storedChannel({ ...row, deliveries })
}

/** Returns a channel as it is stored, with the values of its fields. */
export function storedChannel({ groups: groupRows, recipients, ...row }: ChannelRow) {
  const groups = groupRows.map(({ group }) => group).sort((a, b) => (a.name < b.name ? -1 : 1))
  const to = recipients.length === 0 ? null : recipients.join(', ')
  return { ...row, groups, groupIds: groups.map(({ id }) => id), recipients: to }
}

/** Returns what came of an alert at a channel. */
export function alertOutcome(delivery: ChannelRow['deliveries'][number]): AlertOutcome {
  const { alert, attempts, deliveredAt, lastError: trouble } = delivery
  const { title } = z.object({ title: z.string() }).parse(alert.facts)
  const at = alert.at.toISOString()
  const arrived = deliveredAt?.toISOString() ?? null
  return { title, percent: alert.percent, at, attempts, deliveredAt: arrived, trouble }
}

/** Returns a channel with its secrets, for sending; null when one that it needs is not stored. */
export async function openChannel(tx: Tx, row: StoredChannel): Promise<OpenChannel | null> {
  const { kind, privateAddressAllowed, addressSecretId, secretId } = row
  if (kind === 'smtp') {
    const { host, security, user, sender: from, recipients } = row
    if (host === null || from === null || recipients === null) return null
    const to = mailAddresses(recipients)
    const route = { host, port: row.port ?? usualPorts[security], security, user, from, to }
    const password = secretId && (await openSecret(tx, secretId))
    return { kind, privateAddressAllowed, route, password }
  }
  if (addressSecretId === null) return null
  const url = await openSecret(tx, addressSecretId)
  if (kind === 'slack') return { kind, privateAddressAllowed, url }
  if (secretId === null) return null
  return { kind, privateAddressAllowed, url, secret: await openSecret(tx, secretId) }
}

/** Returns the part of an address that people may see: "https://hooks.example.com/…". */
function shownAddress(url: string): string {
  return `${new URL(url).origin}/…`
}

const addressPurpose = 'channel-address'
const secretPurpose = 'channel-secret'

/** What is given of the secrets of a channel: undefined = as it is, null = none. */
export type GivenSecrets = {
  address?: string | null | undefined
  secret?: string | null | undefined
  password?: string | null | undefined
}

type SecretIds = Pick<StoredChannel, 'addressSecretId' | 'secretId'>

/** Stores what is given in the vault; returns the columns that change by it. */
export async function storeSecrets(
  tx: ChangeTx,
  before: Pick<StoredChannel, 'kind'> & Partial<SecretIds>,
  { address, secret, password }: GivenSecrets,
) {
  const { kind, addressSecretId = null, secretId: idBefore = null } = before
  const addressId = await keep(tx, addressPurpose, addressSecretId, address)
  const given = kind === 'smtp' ? password : secret
  const secretId = await keep(tx, secretPurpose, idBefore, given)
  return {
    ...(address && { addressSecretId: addressId, shownAddress: shownAddress(address) }),
    secretId,
  }
}

/** Returns the id of a secret in the vault after the change; null when there is none. */
async function keep(
  tx: ChangeTx,
  purpose: string,
  id: string | null,
  plaintext: string | null | undefined,
): Promise<string | null> {
  if (plaintext === undefined) return id
  if (plaintext === null) {
    if (id !== null) await tx.vaultSecret.deleteMany({ where: { id } })
    return null
  }
  if (id === null) return (await storeSecret(tx, { purpose, plaintext, hidden: true })).id
  await replaceSecret(tx, id, plaintext, { hidden: true })
  return id
}
