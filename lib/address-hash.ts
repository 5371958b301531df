import { createHash } from 'node:crypto'
import { secretsHost } from './protocol/secrets-host'

/**
 * What runs keep of where a connection led when they began, to notice that it leads elsewhere. A hash, as journals are
 * read by people who may not see addresses. Null = nowhere (the demo).
 */
export function addressHash(address: Parameters<typeof secretsHost>[0]): string | null {
  const host = secretsHost(address)
  return host === null ? null : createHash('sha256').update(host).digest('base64url')
}
