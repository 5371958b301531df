import 'server-only'
import { addressHash, addressOf } from '@/lib/domains/rows/address-hash'
import { providerOf } from '@/lib/domains/rows/column-names'
import type { Connection } from '@/lib/generated/prisma/client'
import { isLessTrusted, type ModelTarget } from '@/lib/protocol/model/model-target'

type Stored = Pick<Connection, 'enabled'> &
  Parameters<typeof addressOf>[0] &
  Parameters<typeof providerOf>[0]

/**
 * Returns why a run must not use its connection any more, as a sentence; null = it still leads where it did when the
 * run started (SPEC R1). Its key and limits may have changed. `stored` null = it was deleted.
 */
export function connectionChange(target: ModelTarget, stored: Stored | null): string | null {
  const { connectionName } = target
  if (!stored) {
    return `${connectionName} was deleted after this run started, so nothing was sent to it. Change the model of the configuration and start the run again.`
  }
  if (!stored.enabled) {
    return `${connectionName} was switched off after this run started, so nothing was sent to it. Switch it on, or change the model of the configuration, and start the run again.`
  }
  const address = addressOf(stored)
  const isMoved = target.addressHash !== undefined && target.addressHash !== addressHash(address)
  if (address.wire !== target.wire || isMoved) {
    return `${connectionName} changed its address or API type after this run started, so nothing was sent to it. Start the run again.`
  }
  if (isLessTrusted(providerOf(stored), target)) {
    return `${connectionName} has a lower trust zone than when this run started, so nothing more was sent to it. Start the run again.`
  }
  return null
}
