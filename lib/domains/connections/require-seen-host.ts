import type { Connection } from '../../generated/prisma/client'
import { ConflictError } from '../../kernel/errors'
import { secretsHost } from '../../protocol/wire-address'
import { addressOf } from '../rows/address-hash'

/**
 * Refuses a secret that was typed for another host than the connection leads to by now. `host` is what whoever typed it
 * saw; undefined = they did not say. ConflictError when it is another.
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
