import type { KeyLimits } from '@/lib/protocol/key-limits'
import type { Actor, Role } from '@/lib/protocol/tool'
import type { Tx } from './db'
import { ForbiddenError } from './errors'

/** The caller and where the call comes from. Built once at the edge (page, action, route, CLI) and passed down. */
export type Ctx = {
  actor: Actor
  via: 'console' | 'api' | 'cli' | 'schedule' | 'run' | 'try' | 'check' | 'system'
  ipAddress: string | null
  /** For `api`: the key that was sent. */
  apiKeyId?: string
  /** Limits of that key; left out: it may do all that its owner may. */
  keyLimits?: KeyLimits
  /** For a browser: its session. */
  sessionId?: string
  /** For `cli`: the operating system's name of the terminal's user. */
  terminalUser?: string
  /** Ids of people who count as starters of the runs that this begins, beside the actor (SPEC A10); left out: none. */
  starters?: readonly string[]
  /**
   * For a run or a panel of a schedule: which, the hash of what it starts, and the time that it is for. Whether it may is asked in the
   * statement that stores the run. Without a hash, it starts what the schedule is by now.
   */
  schedule?: { id: string; hash?: string; at: Date }
  /**
   * For a browser's session: throws unless its person has recently confirmed their identity (SPEC A6). API keys and
   * terminals have nothing to confirm.
   */
  requireProof?: () => void
  /**
   * For a change that may leave calls that nobody could approve. Every door sets it; left out: such a change fails.
   * 'unchecked': the change is made whatever it leaves, because nobody is there to confirm it.
   */
  waysOut?: WaysOut | 'unchecked'
}

/** A policy case that passes before a change and fails after it; `says`: what would be decided, as sentences. */
export type BrokenCase = { name: string; says: string }

/** Effects of a change that have to be confirmed: calls that nobody could approve, a sentence each, and policy cases that it breaks. */
type Confirmed = {
  lost: readonly string[]
  broken: readonly BrokenCase[]
  /** Why the cases may be broken; "" = none is. */
  breakReason: string
}

/** Questions about a change: whether it may end a way to approve calls, and whether it may break policy cases. */
export type ChangeQuestions = { approvals: boolean; cases: boolean }

export type WaysOut = {
  /** Throws UnconfirmedError for losses that the caller did not confirm. */
  requireConfirmed: (lost: readonly string[]) => void
  /** Throws BrokenCasesError for cases that the caller gave no reason to break. Returns the reason; "" = there is none to break. */
  requireReason: (broken: readonly BrokenCase[]) => string
  /** Makes a change, and throws to undo it unless its effects are confirmed. Returns what was confirmed. */
  keep: <T>(
    tx: Tx,
    work: () => Promise<T>,
    questions: ChangeQuestions,
  ) => Promise<{ result: T; confirmed: Confirmed }>
}

/** Returns the check of a change that may leave calls that nobody could approve; null = unchecked. Throws without either. */
export function waysOutOf({ waysOut, via }: Ctx): WaysOut | null {
  if (waysOut === undefined) {
    throw new Error(
      `A change that may leave calls that nobody could approve came unchecked (${via}).`,
    )
  }
  return waysOut === 'unchecked' ? null : waysOut
}

/** Throws ForbiddenError for a person without the role. Admins may do everything a member may. */
export function requireRole(ctx: Ctx, role: Role): void {
  if (role === 'admin' && ctx.actor.role !== 'admin') throw new ForbiddenError()
}

const nobody = '00000000-0000-0000-0000-000000000000'

/** Returns the context in which the installation itself acts: boot, seeding, upkeep. Never built from a request. */
export function systemCtx(): Ctx {
  return {
    actor: { userId: nobody, email: 'system', role: 'admin' },
    via: 'system',
    ipAddress: null,
    waysOut: 'unchecked',
  }
}

/** Returns who did it, as the audit shows it. A person with a shell may act for any account. */
export function auditLabel({ actor, terminalUser }: Ctx): string {
  return terminalUser === undefined
    ? actor.email
    : `${actor.email} (in a terminal as ${terminalUser})`
}

/** Returns the id of the user to store as author of a change; null when the installation itself acts. */
export function authorId(ctx: Ctx): string | null {
  return ctx.actor.userId === nobody ? null : ctx.actor.userId
}
