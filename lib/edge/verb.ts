import { z } from 'zod'
import { AuditReason, ReasonText } from '@/lib/domains/audit/shared/audit-reason'
import { isObject } from '@/lib/json-schema/keyword'
import { type ChangeQuestions, type Ctx, requireRole, waysOutOf } from '@/lib/kernel/context'
import { isContended } from '@/lib/kernel/database-errors'
import { type ChangeTx, db, type PolicyTx, type Tx, withTransaction } from '@/lib/kernel/db'
import { ForbiddenError, ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import type { LockedTx } from '@/lib/kernel/policy-lock'
import type { ApiScope } from '@/lib/protocol/api-scope'
import type { Actor, Role } from '@/lib/protocol/tool'
import { reasonMissing } from '@/lib/shape/reason-words'
import { type PersonsAct, personsActs } from './persons-acts'
import { type OtherAction, recordAudit } from './record-audit'

/** Need for a reason. With one, the input has a `reason`, which the audit stores. */
export type ReasonKind = 'none' | 'optional' | 'required'

type Facts<I extends z.ZodType, O extends z.ZodType, R extends ReasonKind, A extends string> = {
  /** Noun and verb, such as `budget.create`, which is the action in the audit. */
  name: string
  /** The lowest role that may do this. */
  role: Role
  /** The scope that an API key needs, which the door checks (`lib/doors/http.ts`); null = no API key may do it. */
  scope: ApiScope | null
  /** Scopes that an API key needs as well, because what is returned names objects of other kinds. */
  moreScopes?: readonly ApiScope[]
  /** One or two sentences for people: the OpenAPI document and the help of the command line show them. */
  summary: string
  input: I
  /** Schema of the result; left out: none. */
  output?: O
  reason?: R
  /** The actions under which the audit has what it changed; left out = its name. */
  audits?: readonly A[]
  /**
   * Returns whether this input requires that the session's person recently confirmed their identity. An API key has nothing
   * to confirm: it needs the scope, which is a sensitive one.
   */
  needsReauthentication?: (input: z.output<I>) => boolean | Promise<boolean>
  /**
   * Returns the act of this input that only a person with such a proof may do, and no API key, whatever its scopes (SPEC A7);
   * null = none. Asked before anything else happens, and again in the transaction of the change.
   */
  personsAct?: (input: z.output<I>, client: Tx) => PersonsAct | null | Promise<PersonsAct | null>
  /** It may (for a function: with this input) leave calls that nobody could approve, which the caller's context checks (SPEC G-A). */
  mayEndApproval?: boolean | ((input: z.output<I>) => boolean)
  /** It may break policy cases (SPEC C3a), as may all that may end a way to approve calls; likewise checked. */
  mayBreakCases?: boolean
}

type Transaction<X extends Tx> = <T>(work: (tx: X) => Promise<T>) => Promise<T>
/** Tables that a change may write: under the policy lock all of them. */
type Writable<X extends Tx> = X extends LockedTx ? PolicyTx : ChangeTx

/** `reason` is "" when none was given. */
type Context = { ctx: Ctx; actor: Actor; reason: string }
/** `tx` is the transaction of the change and of its audit rows. */
type WriteContext<X extends Tx> = Context & { tx: Writable<X> }
/** Makes the change that follows slow or outside work, in one transaction with its audit rows. `work` may run again after a deadlock. */
export type MakeChange<A extends string> = <T, X extends Tx = Tx>(
  work: (tx: Writable<X>) => Promise<Change<T, NoInfer<A>>>,
  transaction?: Transaction<X>,
) => Promise<T>

/**
 * Audit facts of a change. `subject` is the object's id. `action` only if it is not the verb's name, `type` only if the
 * action does not begin with it, `reason` only if it is not the one in the input.
 */
export type AuditedChange<A extends string = never> = {
  subject: string | null
  before?: unknown
  after?: unknown
  action?: A
  type?: string
  reason?: string
}
export type Change<T, A extends string = never> = {
  output: T
  changes: readonly AuditedChange<A>[]
}

/** Returns the answer of a verb that changed something, with what the audit keeps of it. */
export function changed<T, A extends string = never>(
  output: T,
  ...changes: AuditedChange<A>[]
): Change<T, A> {
  return { output, changes }
}

/** Returns the answer of a verb that found everything as asked for already: the audit gets no row. */
export function unchanged<T>(output: T): Change<T> {
  return { output, changes: [] }
}

/** Audit facts of a change that is no verb. `by`: its author. */
export type OtherChange = AuditedChange<OtherAction> & { action: OtherAction; by: Ctx }

type Writing<I extends z.ZodType, T, X extends Tx, A extends string> = {
  /** `changePolicy` for what may alter a decision (SPEC G-F, G-R): no call and no request starts while it runs. */
  transaction?: Transaction<X>
  /** Has no effect outside the transaction: after a deadlock it runs again in another one. */
  run: (context: WriteContext<X>, input: z.output<I>) => Promise<Change<T, NoInfer<A>>>
  /** Called once the change is committed, such as to tell the engine of this process. */
  afterCommit?: (output: T, input: z.output<I>) => void
}
/** For verbs that only read, or that change something through other verbs. */
type Reading<I extends z.ZodType, T> = {
  transaction: false
  run: (context: Context, input: z.output<I>) => Promise<T>
}
/** For verbs that do something slow or outside before their transaction, which they begin with `change`. */
type Later<I extends z.ZodType, T, A extends string> = {
  transaction: 'later'
  run: (context: Context & { change: MakeChange<A> }, input: z.output<I>) => Promise<T>
}

type Doing<I extends z.ZodType, T> = Reading<I, T> | Later<I, T, string> | Writing<I, T, Tx, string>

type ReasonInput<R extends ReasonKind> = R extends 'required'
  ? { reason: string }
  : R extends 'optional'
    ? { reason?: string | undefined }
    : unknown
export type VerbInput<I extends z.ZodType, R extends ReasonKind> =
  z.input<I> extends Record<string, never> ? ReasonInput<R> : z.input<I> & ReasonInput<R>

/** An operation as a value: call it, or make an action, an endpoint or a command of it. */
export type Verb<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  R extends ReasonKind = ReasonKind,
> = {
  (ctx: Ctx, input: VerbInput<I, R>): Promise<z.output<O>>
  readonly definition: Facts<I, O, R, string>
}
/**
 * Returns an operation for its definition. A call checks the role, parses the input (once), and writes the change in
 * one transaction with its audit row (SPEC A2). Throws ForbiddenError, ValidationError, and what `run` throws.
 */
export function verb<
  I extends z.ZodType,
  O extends z.ZodType = z.ZodVoid,
  R extends ReasonKind = 'none',
>(definition: Facts<I, O, R, string> & Reading<I, z.output<O>>): Verb<I, O, R>
export function verb<
  I extends z.ZodType,
  O extends z.ZodType = z.ZodVoid,
  R extends ReasonKind = 'none',
  const A extends string = never,
>(definition: Facts<I, O, R, A> & Later<I, z.output<O>, A>): Verb<I, O, R>
export function verb<
  I extends z.ZodType,
  O extends z.ZodType = z.ZodVoid,
  R extends ReasonKind = 'none',
  X extends Tx = Tx,
  const A extends string = never,
>(definition: Facts<I, O, R, A> & Writing<I, z.output<O>, X, A>): Verb<I, O, R>
export function verb<I extends z.ZodType, O extends z.ZodType, R extends ReasonKind>(
  definition: Facts<I, O, R, string> & Doing<I, z.output<O>>,
): Verb<I, O, R> {
  const call = async (ctx: Ctx, raw: VerbInput<I, R>) => {
    requireRole(ctx, definition.role)
    const { input, reason } = parse(definition, raw)
    const { personsAct, needsReauthentication, mayEndApproval, mayBreakCases } = definition
    const requirePerson = async (client: Tx) => {
      const act = (await personsAct?.(input, client)) ?? null
      if (act !== null) refuseAllButPersons(ctx, act)
    }
    if (personsAct) await requirePerson(db())
    if (await needsReauthentication?.(input)) ctx.requireProof?.()
    const context = { ctx, actor: ctx.actor, reason }
    if (definition.transaction === false) return definition.run(context, input)
    const approvals =
      (typeof mayEndApproval === 'function' ? mayEndApproval(input) : mayEndApproval) === true
    const questions = { approvals, cases: approvals || mayBreakCases === true }
    const ofCaller = async <T>(tx: Tx, work: () => Promise<Change<T, string>>) => {
      const { output, changes } = await confirmedChange(ctx, tx, work, { ...questions, reason })
      const { name, audits } = definition
      const rows = changes.map((change) => ({ by: ctx, action: name, reason, ...change }))
      const wrong = audits && rows.find(({ action }) => !audits.some((each) => each === action))
      if (wrong) throw new Error(`The verb ${name} does not name the action ${wrong.action}.`)
      return { output, changes: rows }
    }
    if (definition.transaction === 'later') {
      const change: MakeChange<string> = (work, transaction) =>
        record(async (tx) => {
          await requirePerson(tx)
          return ofCaller(tx, () => work(tx))
        }, transaction)
      return definition.run({ ...context, change }, input)
    }
    const { transaction, run, afterCommit } = definition
    const output = await record(async (tx) => {
      await requirePerson(tx)
      return ofCaller(tx, () => run({ ...context, tx }, input))
    }, transaction)
    afterCommit?.(output, input)
    return output
  }
  return Object.assign(call, { definition })
}

/** Makes a change, with what the caller confirmed of its effects for the audit. */
async function confirmedChange<T>(
  ctx: Ctx,
  tx: Tx,
  work: () => Promise<Change<T, string>>,
  { reason, ...questions }: ChangeQuestions & { reason: string },
): Promise<Change<T, string>> {
  if (!questions.cases) return work()
  const waysOut = waysOutOf(ctx)
  if (!waysOut) return work()
  const { result, confirmed } = await waysOut.keep(tx, work, questions)
  const { lost, broken, breakReason } = confirmed
  if (lost.length === 0 && broken.length === 0) return result
  const facts = {
    ...(lost.length > 0 && { confirmed: lost }),
    ...(broken.length > 0 && { brokenCases: broken.map(({ name }) => name), breakReason }),
  }
  const changes = result.changes.map((change) => ({
    ...change,
    after: { ...Object(change.after), ...facts },
    ...(reason === '' && breakReason !== '' && { reason: change.reason || breakReason }),
  }))
  return { ...result, changes }
}

/** Throws for an API key, and for a person without a recent proof. */
function refuseAllButPersons({ apiKeyId, requireProof }: Ctx, act: PersonsAct): void {
  if (apiKeyId !== undefined) {
    throw new ForbiddenError(
      `API keys cannot ${personsActs[act]}. Do it on the console, or in a terminal on the server.`,
    )
  }
  requireProof?.()
}

export type MadeChange<T> = { output: T; changes: readonly OtherChange[] }

type Recorded<T> = {
  output: T
  changes: readonly (AuditedChange<string> & { action: string; by: Ctx })[]
}

/** A change is tried so often where PostgreSQL ends its transaction because of another one, as it does to end a deadlock. */
const maxAttempts = 3

/** Does the work in one transaction with its audit rows. `work` has no effect outside the transaction, because it may run again. */
async function record<T, X extends Tx>(
  work: (tx: Writable<X>) => Promise<Recorded<T>>,
  // The default of X is Tx, for which this transaction is made.
  transaction = withTransaction as Transaction<Tx> as Transaction<X>,
): Promise<T> {
  const attempt = () =>
    transaction(async (tx) => {
      const { output, changes } = await work(tx as unknown as Writable<X>)
      for (const { subject, type, by, ...row } of changes) {
        const objectType = type ?? row.action.slice(0, row.action.indexOf('.'))
        await recordAudit(tx as ChangeTx, by, { ...row, objectType, objectId: subject })
      }
      return output
    })
  for (let left = maxAttempts - 1; left > 0; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (!isContended(error)) throw error
    }
  }
  return attempt()
}

/** Makes a change that is no verb, such as a sign-in, in one transaction with its audit rows. Throws what `work` does. */
export const makeChange: <T, X extends Tx = Tx>(
  work: (tx: Writable<X>) => Promise<MadeChange<T>>,
  transaction?: Transaction<X>,
) => Promise<T> = record

const reasonSchemas = {
  optional: AuditReason,
  required: ReasonText.min(1, reasonMissing),
}

/** Parses the reason beside the rest, because an input may be a union or have checks of its own. */
function parse<I extends z.ZodType>(
  { input: schema, reason: kind = 'none' }: { input: I; reason?: ReasonKind },
  raw: unknown,
): { input: z.output<I>; reason: string } {
  if (kind === 'none' || !isObject(raw)) return { input: parseInput(schema, raw), reason: '' }
  const { reason: given, ...rest } = raw
  const reason = attempt(() =>
    parseInput(z.object({ reason: reasonSchemas[kind] }), { reason: given }),
  )
  const input = attempt(() => parseInput(schema, rest))
  if (reason.ok && input.ok) return { input: input.value, reason: reason.value.reason }
  throw new ValidationError({ ...(!reason.ok && reason.fields), ...(!input.ok && input.fields) })
}

type Attempt<T> = { ok: true; value: T } | { ok: false; fields: Record<string, string> }

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    if (error instanceof ValidationError) return { ok: false, fields: error.fields }
    throw error
  }
}

/** Describes a verb's whole input, its reason included, as a JSON schema. */
export function inputJsonSchema({ definition }: Verb): Record<string, unknown> {
  const { input, reason = 'none' } = definition
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  if (reason === 'none') return schema
  const property = z.toJSONSchema(reasonSchemas[reason], { io: 'input' })
  const required = [...(schema.required ?? []), ...(reason === 'required' ? ['reason'] : [])]
  return { ...schema, properties: { ...schema.properties, reason: property }, required }
}
