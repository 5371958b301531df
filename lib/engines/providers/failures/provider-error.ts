import type { FailureCategory, FailureCause } from '@/lib/protocol/model/failure'

/** The provider answered with a status other than 2xx. `body` is the start of what it sent, for the log only. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly body: string,
  ) {
    super(`HTTP ${status}`)
    this.name = 'HttpFailure'
  }
}

/**
 * The request or its answer broke on the way. The origin is not kept as `cause`: the SDKs turn anything whose
 * cause speaks of a timeout into an error of their own that no longer tells which timeout it was.
 */
export class TransportFailure extends Error {
  constructor(readonly origin: unknown) {
    super('The connection to the provider failed.')
    this.name = 'TransportFailure'
  }
}

/** The request went on for longer than any is allowed to. */
export class OverdueFailure extends Error {
  readonly code = 'TOOLGATE_OVERDUE'
}

/** The provider answered, and what it said in the body is the failure. `detail` goes to the log only. */
export class WireFailure extends Error {
  constructor(
    readonly category: FailureCategory,
    readonly advice: string,
    readonly detail: unknown,
    readonly status: number | null = null,
    readonly known?: FailureCause,
  ) {
    super(advice)
    this.name = 'WireFailure'
  }
}

/** The provider ended its answer, for a reason with which it cannot be used. Only its usage may follow. */
export class EndFailure extends WireFailure {}
