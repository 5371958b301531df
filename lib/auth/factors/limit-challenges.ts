import { addressPrefix } from '@/lib/auth/client-address'
import { RateLimitedError } from '@/lib/kernel/errors'
import { processState } from '@/lib/kernel/process-state'

const windowMs = 60_000
/** Passkey sign-in requests that one network may make in a minute: each stores a challenge. */
const mostOfNetwork = 30
/** Limit for all clients without a known network together, such as behind a proxy that is not trusted. */
const mostOfUnknown = 600

const window = processState(() => ({ began: 0, counts: new Map<string, number>() }))

/** Counts a challenge that a stranger asks for. Throws RateLimitedError for more than the maximum of a minute (SPEC A5). */
export function limitChallenges(address: string | null, now = Date.now()): void {
  if (now - window.value.began >= windowMs) window.value = { began: now, counts: new Map() }
  const { began, counts } = window.value
  const network = address === null ? '' : addressPrefix(address)
  const count = (counts.get(network) ?? 0) + 1
  counts.set(network, count)
  if (count <= (network === '' ? mostOfUnknown : mostOfNetwork)) return
  const seconds = Math.max(1, Math.ceil((began + windowMs - now) / 1000))
  throw new RateLimitedError(
    `Too many sign-ins with a passkey began here. Try again in ${seconds} seconds.`,
    seconds,
  )
}
