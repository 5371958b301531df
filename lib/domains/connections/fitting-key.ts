import { createPrivateKey } from 'node:crypto'
import { ValidationError } from '../../kernel/errors'
import {
  type ConnectionAddress,
  looksLikeKeyFile,
  readServiceAccountKey,
  signsWithKeyFile,
} from '../../protocol/wire-address'

/**
 * Refuses a key file where the connection would send it as it is, and anything else where a key file has to sign. To be
 * called before a key is stored or sent. Throws ValidationError for the key.
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
