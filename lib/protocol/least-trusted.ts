import { TrustZone } from './model-target'

/** A provider of a chain, and how far it is trusted. */
export type LeastTrusted = { connectionName: string; zone: TrustZone }

/** The one of a chain that decides for all: what is sent may be seen by each. Undefined for an empty chain. */
export function leastTrusted(chain: readonly LeastTrusted[]): LeastTrusted | undefined {
  const [first, ...others] = chain
  return first && others.reduce(lessTrustedLink, first)
}

/** The less trusted of two providers; the first of two that are trusted alike. */
export function lessTrustedLink(a: LeastTrusted, b: LeastTrusted): LeastTrusted {
  return isLessTrusted(b.zone, a.zone) ? b : a
}

/** The less trusted of two zones. */
export function lessTrusted(a: TrustZone, b: TrustZone): TrustZone {
  return isLessTrusted(b, a) ? b : a
}

function isLessTrusted(a: TrustZone, b: TrustZone): boolean {
  return distrust(a) > distrust(b)
}

/** The zones stand from the most to the least trusted. */
function distrust(zone: TrustZone): number {
  return TrustZone.options.indexOf(zone)
}
