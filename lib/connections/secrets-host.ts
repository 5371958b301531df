import { wireAddress } from '../protocol/wire-address'
import type { ConnectionFacts } from './schemas'

/**
 * Where the secrets of a connection may go: scheme, host and port of its address, or its wire's own. Null = nowhere
 * (the demo). What was entered for one is never sent to another.
 */
export function secretsHost({
  wire,
  baseUrl,
}: Pick<ConnectionFacts, 'wire' | 'baseUrl'>): string | null {
  const url = wire === 'demo' ? null : (baseUrl ?? wireAddress[wire])
  return url === null ? null : new URL(url).origin
}
