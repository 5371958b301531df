import { freezeSite, getFreeze, unfreezeSite } from '@/lib/domains/settings/freeze'
import { freezeSentence } from '@/lib/domains/settings/read-freeze'
import { rotateVaultKey } from '@/lib/domains/vault/rotate-vault-key'
import { vaultStatus } from '@/lib/domains/vault/vault-status'
import { countOf } from '@/lib/protocol/format'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine } from './print'

export type RotateOptions = CommonOptions & { reason?: string }

export async function printVaultStatus(options: CommonOptions): Promise<void> {
  const status = await vaultStatus(await actingCtx(options.as))
  if (options.json) return printJson(status)
  const { keyVersion, keyFrom, sealed, rotation } = status
  printLine(
    `Key ${keyVersion ?? 'none yet'}, from the ${keyFrom}; ${countOf(sealed, 'value is', 'values are')} encrypted.`,
  )
  if (rotation) {
    const { toVersion, left, startedAt, startedBy } = rotation
    printLine(
      `A rotation to key ${toVersion} is in progress (${startedBy}, ${startedAt}); ${countOf(left, 'value is', 'values are')} left. Continue with: toolgate vault rotate`,
    )
  }
  if (status.keyFileWaits) {
    printLine('The key file still holds the old key. Finish with: toolgate vault rotate')
  }
}

export async function rotateAndPrint(options: RotateOptions): Promise<void> {
  const report = await rotateVaultKey(await actingCtx(options.as), { reason: options.reason })
  if (options.json) return printJson(report)
  const { keyVersion, resealed, unreadable, retiredFile } = report
  printLine(
    `All secrets are now encrypted with key ${keyVersion} (${countOf(resealed, 'value was', 'values were')} re-encrypted).`,
  )
  if (unreadable.length > 0) {
    printLine(`No key can decrypt these values. Enter them again: ${unreadable.join(', ')}`)
  }
  printLine(
    retiredFile === null
      ? 'Remove TOOLGATE_VAULT_KEY_PREVIOUS from the environment at the next restart.'
      : `The old key is in ${retiredFile} and needed only for older backups. Delete this file together with the last of those backups.`,
  )
}

export type FreezeOptions = CommonOptions & { reason?: string }

export async function freezeAndPrint({ as, json, reason = '' }: FreezeOptions): Promise<void> {
  const freeze = await freezeSite(await actingCtx(as), { reason })
  if (json) return printJson({ freeze })
  printLine('Froze this site. No run or tool can start, and active runs were stopped.')
}

export async function unfreezeAndPrint({ as, json, reason = '' }: FreezeOptions): Promise<void> {
  const changed = await unfreezeSite(await actingCtx(as), { reason })
  if (json) return printJson({ freeze: null })
  printLine(changed ? 'Unfroze this site.' : 'This site was not frozen.')
}

export async function printFreeze({ as, json }: CommonOptions): Promise<void> {
  const freeze = await getFreeze(await actingCtx(as), {})
  if (json) return printJson({ freeze })
  printLine(freeze ? freezeSentence(freeze) : 'This site is not frozen.')
}
