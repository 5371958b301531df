import type { Prices } from './cost'

/** True when runs with such prices cannot be added up: what goes in or what comes out has no price (SPEC R14). */
export function isUnpriced({ input, output }: Prices): boolean {
  return input === null || output === null
}
