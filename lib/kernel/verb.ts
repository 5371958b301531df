import { z } from 'zod'
import { AuditReason, ReasonText } from '../domains/audit/audit-reason'
import { recordAudit } from '../domains/audit/record-audit'
import type { ApiScope } from '../protocol/api-scope'
import { reasonMissing } from '../protocol/field-shape'
import type { Actor, Role } from '../protocol/tool'
import { type Ctx, requireRole } from './context'
import { type Tx, withTransaction } from './db'
import { ValidationError } from './errors'
import { parseInput } from './parse-input'

/** Whether a verb asks for a reason. Its input then has a `reason`, which the audit stores. */
export type ReasonKind = 'none' | 'optional' | 'required'

type Facts<I extends z.ZodType, O extends z.ZodType, R extends ReasonKind> = {
  /** Noun and verb, such as `budget.create`, which is the action in the audit. */
  name: string
  /** The lowest role that may do this. */
  role: Role
  /** The scope that an API key needs; null = no API key may do it. */
  scope: ApiScope | null
  /** One or two sentences for people: the OpenAPI document and the help of the command line show them. */
  summary: string
  input: I
  /** What it returns; left out = nothing. */
  output?: O
  reason?: R
  /** Returns whether this input requires that the session's person recently confirmed their identity. */
  needsProof?: (input: z.output<I>) => boolean
}

/** `tx` is the transaction of the change and of its audit row. `reason` is "" when none was given. */
type WriteContext = { ctx: Ctx; actor: Actor; tx: Tx; reason: string }
type ReadContext = Omit<WriteContext, 'tx'>

/**
 * What the audit stores of a change. `subject` is the object's id. `action` and `type` only if they differ from the
 * verb's name, `reason` only if it is not the one in the input.
 */
export type AuditedChange = {
  subject: string | null
  before?: unknown
  after?: unknown
  action?: string
  type?: string
  reason?: string
}
export type Change<T> = { output: T; changes: readonly AuditedChange[] }

/** Returns the answer of a verb that changed something, with what the audit keeps of it. */
export function changed<T>(output: T, ...changes: AuditedChange[]): Change<T> {
  return { output, changes }
}

/** Returns the answer of a verb that found everything as asked for already: the audit gets no row. */
export function unchanged<T>(output: T): Change<T> {
  return { output, changes: [] }
}

type Writing<I extends z.ZodType, T> = {
  /** `changePolicy` for what may alter a decision (SPEC G-F, G-R): no call and no request starts while it runs. */
  transaction?: typeof withTransaction
  run: (context: WriteContext, input: z.output<I>) => Promise<Change<T>>
  /** Called once the change is committed, such as to begin the work on a run. */
  committed?: (output: T, input: z.output<I>) => void
}
/** For verbs that only read, or that call outside and write through verbs of their own. */
type Outside<I extends z.ZodType, T> = {
  transaction: false
  run: (context: ReadContext, input: z.output<I>) => Promise<T>
}

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
  (ctx: Ctx, input: VerbInput<I, R>, options?: ParseOptions): Promise<z.output<O>>
  readonly definition: Facts<I, O, R>
}
type ParseOptions = { /** Whether fields that nobody knows are an error. */ strict?: boolean }

/**
 * Returns an operation for its definition. A call checks the role, parses the input (once), and writes the change in
 * one transaction with its audit row (SPEC A2). Throws ForbiddenError, ValidationError, and what `run` throws.
 */
export function verb<
  I extends z.ZodType,
  O extends z.ZodType = z.ZodVoid,
  R extends ReasonKind = 'none',
>(definition: Facts<I, O, R> & (Writing<I, z.output<O>> | Outside<I, z.output<O>>)): Verb<I, O, R> {
  const call = async (ctx: Ctx, raw: VerbInput<I, R>, { strict = false }: ParseOptions = {}) => {
    requireRole(ctx, definition.role)
    const { input, reason } = parse(definition, raw, strict)
    if (definition.needsProof?.(input)) ctx.requireProof?.()
    const context = { ctx, actor: ctx.actor, reason }
    if (definition.transaction === false) return definition.run(context, input)
    const { transaction = withTransaction, run, committed } = definition
    const output = await transaction(async (tx) => {
      const { output, changes } = await run({ ...context, tx }, input)
      for (const change of changes) await recordAudit(tx, ctx, auditRow(definition, change, reason))
      return output
    })
    committed?.(output, input)
    return output
  }
  return Object.assign(call, { definition })
}

function auditRow({ name }: { name: string }, change: AuditedChange, asked: string) {
  const { subject, before, after, reason = asked } = change
  const { action = name, type = name.slice(0, name.indexOf('.')) } = change
  return { action, objectType: type, objectId: subject, before, after, reason }
}

const reasonSchemas = {
  optional: AuditReason,
  required: ReasonText.min(1, reasonMissing),
}

/** Parses the reason beside the rest, because an input may be a union or have checks of its own. */
function parse<I extends z.ZodType>(
  { input: schema, reason: kind = 'none' }: { input: I; reason?: ReasonKind },
  raw: unknown,
  strict: boolean,
): { input: z.output<I>; reason: string } {
  const whole = strict ? strictly(schema) : schema
  if (kind === 'none' || !isObject(raw)) return { input: parseInput(whole, raw), reason: '' }
  const { reason: given, ...rest } = raw
  const reason = attempt(() =>
    parseInput(z.object({ reason: reasonSchemas[kind] }), { reason: given }),
  )
  const input = attempt(() => parseInput(whole, rest))
  if (reason.ok && input.ok) return { input: input.value, reason: reason.value.reason }
  throw new ValidationError({ ...(!reason.ok && reason.fields), ...(!input.ok && input.fields) })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the schema that refuses unknown fields. The cast is safe, because it parses to the same type. */
function strictly<S extends z.ZodType>(schema: S): S {
  return schema instanceof z.ZodObject ? (schema.strict() as unknown as S) : schema
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
