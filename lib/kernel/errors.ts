/** Errors that are meant for people: `message` may be shown, `code` is stable, `status` is the HTTP answer. */
export class AppError extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    message: string,
  ) {
    super(message)
    this.name = new.target.name
  }
}

export class UnauthenticatedError extends AppError {
  constructor(message = 'Sign in to continue.') {
    super('unauthenticated', 401, message)
  }
}

export class ForbiddenError extends AppError {
  constructor(message = 'Your role does not allow this. Ask an admin.') {
    super('forbidden', 403, message)
  }
}

export class NotFoundError extends AppError {
  /** `hint` follows as a sentence of its own, such as the nearest name. */
  constructor(what = 'This', hint = '') {
    super('not-found', 404, `${what} does not exist, or you may not see it. ${hint}`.trimEnd())
  }
}

/** `field` = the path of the field whose value is already taken. */
export class ConflictError extends AppError {
  readonly fields: Record<string, string> | undefined
  constructor(message: string, field?: string) {
    super('conflict', 409, message)
    this.fields = field === undefined ? undefined : { [field]: message }
  }
}

/** The code of an `UnconfirmedError`. */
export const unconfirmed = 'unconfirmed'

/** Thrown when nobody could do something after a change, a sentence each, and the caller has not confirmed that. */
export class UnconfirmedError extends AppError {
  constructor(lost: readonly string[]) {
    super(unconfirmed, 409, lost.join(' '))
  }
}

/** The code of a `BrokenCasesError`. */
export const breaksCases = 'breaks-policy-cases'

/** The most cases that a refusal names. */
const mostNamed = 20

type Broken = readonly { name: string; says: string }[]

/** Thrown when a change breaks policy cases, and the caller gave no reason. One line for each case; a number = they are not named. */
export class BrokenCasesError extends AppError {
  constructor(broken: Broken | number) {
    super(breaksCases, 409, typeof broken === 'number' ? countedCases(broken) : namedCases(broken))
  }
}

function countedCases(count: number): string {
  const cases = count === 1 ? 'a policy case' : `${count} policy cases`
  return `This change breaks ${cases}. A key with policy-cases:read is told which.`
}

function namedCases(broken: Broken): string {
  const lines = broken
    .slice(0, mostNamed)
    .map(({ name, says }) => `This change breaks the policy case "${name}". ${says}`)
  const more = broken.slice(mostNamed).map(({ name }) => `"${name}"`)
  return [...lines, ...(more.length > 0 ? [`It also breaks ${more.join(', ')}.`] : [])].join('\n')
}

/** Thrown when a change is based on an older version. */
export class StaleError extends AppError {
  constructor(message: string) {
    super('stale', 412, message)
  }
}

/** `fields` maps a field's path ("" = the whole input) to one sentence. */
export class ValidationError extends AppError {
  constructor(readonly fields: Record<string, string>) {
    super('invalid-input', 422, Object.values(fields).join(' ') || 'The input is not valid.')
  }
}

export class RateLimitedError extends AppError {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super('rate-limited', 429, message)
  }
}

export class TooLargeError extends AppError {
  constructor(maxBytes: number) {
    const kibibytes = maxBytes / 1024
    const limit = kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`
    super('too-large', 413, `This is larger than ${limit}, the maximum here.`)
  }
}

export class UnavailableError extends AppError {
  constructor(message: string) {
    super('unavailable', 503, message)
  }
}

/** The disk of the database is full. */
export class DiskFullError extends AppError {
  constructor() {
    super(
      'disk-full',
      507,
      'The disk of the database is full, so nothing can be stored. Free some space, or give it a larger disk. Active runs wait, and go on by themselves.',
    )
  }
}

/** A statement to the database took longer than pages may. */
export class StatementLimitError extends UnavailableError {
  constructor() {
    super(
      'The database took too long for this, so it was stopped. Narrow it with a filter or a shorter period, or try again when less is going on.',
    )
  }
}
