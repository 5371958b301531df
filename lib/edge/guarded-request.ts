import type { AsyncLocalStorage } from 'node:async_hooks'
import { type Outage, outageIn } from '@/lib/protocol/outage'

/** The bytes of a body in the order in which they came. Each piece has a buffer of its own, of at most 1 MiB. */
export type BodyPieces = Uint8Array<ArrayBuffer>[]

/** State of an unanswered request that the guard in front of the framework shares with pages and routes. */
export type GuardedRequest = {
  /** Called before the head of an answer is written that an outage prevented. */
  fail?: (outage: Outage) => void
  /** A body that is too long for the framework, until a route takes it. */
  body?: BodyPieces
}

let guarded: AsyncLocalStorage<GuardedRequest> | undefined

export function setGuardedRequests(requests: AsyncLocalStorage<GuardedRequest>): void {
  guarded = requests
}

/** Returns the request that is being answered here; undefined where no guard is, as in tests of routes. */
export function guardedRequest(): GuardedRequest | undefined {
  return guarded?.getStore()
}

/**
 * Notes why a page failed. The framework answers 500 to whatever ends a page, so the guard puts the status and the words of
 * an outage in its place (SPEC O3a).
 */
export function notePageFailure(error: unknown): void {
  const outage = outageIn(error)
  if (outage) guardedRequest()?.fail?.(outage)
}
