import { env } from '../env'

/** The version new secrets are sealed with; stored beside each so that a key can be rotated. */
export const vaultKeyVersion = 1

/** 32 bytes from TOOLGATE_VAULT_KEY. */
export function vaultKey(): Uint8Array {
  return Buffer.from(env().TOOLGATE_VAULT_KEY, 'base64')
}
