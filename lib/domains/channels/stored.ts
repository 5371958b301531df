import type { Prisma } from '../../generated/prisma/client'
import type { ChangeTx, Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { openSecret, replaceSecret, storeSecret } from '../vault/secrets'
import type { OpenChannel } from './send/send-message'
import { fieldsOfKind, usualPorts } from './shape'

export const withGroups = {
  groups: { select: { group: { select: { id: true, name: true } } } },
} as const satisfies Prisma.ChannelInclude

/** A channel as it is stored, with the groups that may use it. */
export type StoredChannel = Prisma.ChannelGetPayload<{ include: typeof withGroups }>

/** Throws NotFoundError when it is gone. */
export async function requireChannel(tx: Tx, id: string): Promise<StoredChannel> {
  const where = { id: parseId(id, 'This channel') }
  const row = await tx.channel.findUnique({ where, include: withGroups })
  if (!row) throw new NotFoundError('This channel')
  return row
}

/** Returns the fields of a channel without its secrets, and only those that its kind has. */
export function channelFacts(row: StoredChannel) {
  const has: readonly string[] = fieldsOfKind[row.kind].has
  const { name, kind, privateAddressAllowed, budgetAlerts, enabled } = row
  const { shownAddress: address, host, port, security, user, sender, recipients } = row
  const own = { address, host, port, security, user, sender, recipients }
  return {
    ...{ name, kind },
    ...Object.fromEntries(Object.entries(own).filter(([field]) => has.includes(field))),
    ...{ privateAddressAllowed, budgetAlerts, enabled },
    groups: row.groups.map(({ group }) => group.name).sort(),
  }
}

/** Returns a channel with its secrets, for sending; null when one that it needs is not stored. */
export async function openChannel(tx: Tx, row: StoredChannel): Promise<OpenChannel | null> {
  const { kind, privateAddressAllowed, addressSecretId, secretId } = row
  if (kind === 'smtp') {
    const { host, security, user, sender: from, recipients: to } = row
    if (host === null || from === null) return null
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

/** Stores what is given in the vault; returns the columns that change by it. */
export async function storeSecrets(
  tx: ChangeTx,
  before: Pick<StoredChannel, 'kind'> & Partial<StoredChannel>,
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
