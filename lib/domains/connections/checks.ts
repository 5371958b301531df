import { createPrivateKey } from 'node:crypto'
import { addressOf } from '@/lib/domains/rows/address-hash'
import { requireAllowed } from '@/lib/engines/egress/allowed-address'
import type { Connection } from '@/lib/generated/prisma/client'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import type { ConnectionFacts } from './schemas'
import {
  authorityAddress,
  type ConnectionAddress,
  looksLikeKeyFile,
  readServiceAccountKey,
  secretsHost,
  signsWithKeyFile,
  wireAddress,
} from './shared/wire-address'

/**
 * Refuses a key file for an API type that takes a plain key, and a plain key where a key file has to sign. Call it
 * before a key is stored or sent. Throws ValidationError for the key.
 */
export function requireFittingKey(
  { wire, settings }: ConnectionAddress,
  apiKey: string | null | undefined,
): void {
  if (apiKey === null || apiKey === undefined) return
  if (!signsWithKeyFile(wire, settings)) {
    if (looksLikeKeyFile(apiKey)) throw refused(notHere)
    return
  }
  const file = readServiceAccountKey(apiKey)
  if (!file) throw refused('Paste the whole JSON key file of the service account.')
  if (!canSign(file.private_key)) throw refused(unreadable)
}

const notHere =
  'This is the JSON key file of a service account, but this connection does not sign in with one. It was neither sent nor stored.'

const unreadable =
  'The private key in this file cannot be read. Create a new key for the service account and paste its JSON file.'

function canSign(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

function refused(message: string): ValidationError {
  return new ValidationError({ apiKey: message })
}

type Address = Pick<ConnectionFacts, 'wire' | 'baseUrl' | 'settings' | 'privateAddressAllowed'>

/**
 * Refuses an address in a private network that nobody allowed, and one that nothing may ever be sent to. Throws
 * ValidationError for the field that can correct it.
 */
export async function requireAllowedAddress(address: Address): Promise<void> {
  const { wire, baseUrl, privateAddressAllowed } = address
  const url = baseUrl ?? wireAddress(address)
  if (wire === 'demo' || url === null) return
  await requireAllowed('baseUrl', url, privateAddressAllowed)
  const authority = authorityAddress(address)
  if (authority === null) return
  await requireAllowed('settings.authority', authority, privateAddressAllowed)
}

/**
 * Refuses a secret that was entered for another host than the connection has now. `host`: the one shown beside the field;
 * undefined = not checked. Throws ConflictError when it is another.
 */
export function requireSeenHost(
  connection: Pick<Connection, 'wire' | 'baseUrl' | 'settings'>,
  host: string | null | undefined,
): void {
  if (host === undefined || host === secretsHost(addressOf(connection))) return
  throw new ConflictError(
    'Somebody changed the address of this connection in the meantime. Your input was not sent or stored. Check the address and enter it again.',
  )
}
