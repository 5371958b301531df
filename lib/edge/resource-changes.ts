import { isUniqueViolation } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { wordsOf } from '@/lib/protocol/nouns'
import { type AnyResource, calledOf, keyField } from '@/lib/shape/resource'
import { unfitFields } from '@/lib/shape/resource-parts'
import { formatCount } from '@/lib/words/format'
import { auditedRows, factsOf, type Said } from './resource-audit'
import type { AnyOptions, AnyRow, Caller } from './resource-options'
import { readsOf } from './resource-reads'
import { keepSecrets, storedSecrets } from './resource-secrets'
import { differing, partConfirmations, requireReferences, type Values } from './resource-values'
import { addVersion } from './resource-versions'
import { type Change, changed, unchanged } from './verb'

/** Result of a change. `version`: the current one, where there are versions. */
type Written = { version: number; changed: boolean }

/** Returns how objects of a resource are added and changed, whatever the operation is. */
export function changesOf(resource: AnyResource, options: AnyOptions) {
  const { fields, isVersioned } = resource
  const { store, touched } = options
  const whole = { resource, options }
  const { find } = readsOf(resource, options)
  const explain = (error: unknown): never => explainTaken(resource, error)

  /** Adds an object. The values are those of its fields, with the default ones. */
  const insert = async (
    caller: Caller,
    values: Values,
    said: Said,
  ): Promise<Change<{ id: string }, string>> => {
    const { ctx, tx } = caller
    await requireRoom(caller, whole)
    await allow(caller, whole, values, null)
    const { stored, confirmed } = partConfirmations(fields, values)
    const [columns, secrets] = await keepSecrets(tx, whole, stored, null)
    const row = isVersioned ? columns : { ...columns, createdByLabel: ctx.actor.email }
    const { id } = await store.insert(tx, row, secrets).catch(explain)
    await touched?.(tx, id, { ctx, before: null, names: Object.keys(values) })
    const added = await find(tx, id)
    if (isVersioned) await addVersion(caller, whole, added, said.reason)
    const after = { ...factsOf(whole, added), ...confirmed }
    return changed({ id }, { subject: id, after, ...said })
  }

  /** Changes an object to have the given values; those that are left out stay. */
  const write = async (
    caller: Caller,
    before: AnyRow,
    given: Values,
    said: Said,
  ): Promise<Change<Written, string>> => {
    const { ctx, tx } = caller
    const { stored, confirmed } = partConfirmations(fields, given)
    const secretNames = storedSecrets(whole, before)
    const changes = differing(fields, stored, { ...before, secrets: secretNames })
    await allow(caller, whole, { ...changes, ...confirmed }, before)
    const names = Object.keys(changes)
    const old = Number(before.version)
    if (names.length === 0) return unchanged({ version: old, changed: false })
    requireReasonToSwitchOff(resource, changes, said.reason)
    const isNew = isVersioned === true && names.some((name) => fields[name]?.kind !== 'switch')
    const [columns, secrets] = await keepSecrets(tx, whole, changes, before)
    const row = isNew ? { ...columns, version: old + 1 } : columns
    await store.write(tx, before.id, row, secrets).catch(explain)
    await touched?.(tx, before.id, { ctx, before, names })
    const after = await find(tx, before.id)
    if (isNew) await addVersion(caller, whole, after, said.reason)
    const rows = auditedRows(whole, { before, after, changes, confirmed }, said)
    return changed({ version: Number(after.version), changed: true }, ...rows)
  }
  return { insert, write }
}

type Whole = { resource: AnyResource; options: AnyOptions }

/** Throws ConflictError when there are as many objects as there can be. */
async function requireRoom({ tx }: Caller, { resource, options }: Whole): Promise<void> {
  const { most, store } = options
  if (most === undefined || (await store.count(tx)) < most) return
  const already = `There are already ${formatCount(most)} ${wordsOf(resource).many}, the maximum.`
  throw new ConflictError(`${already} Delete one first.`)
}

/** Throws what forbids a change: references to what does not exist, fields that do not fit one another. */
async function allow(
  caller: Caller,
  whole: Whole,
  values: Values,
  before: AnyRow | null,
): Promise<void> {
  const { resource, options } = whole
  await requireReferences(caller.tx, resource.fields, values)
  const stored = before ? storedSecrets(whole, before) : []
  const kept = new Set(stored.filter((name) => values[name] === undefined))
  const errors = unfitFields(resource, { before, given: values }, kept)
  if (Object.keys(errors).length > 0) throw new ValidationError(errors)
  await options.check?.(caller, values, before, kept)
}

function explainTaken(resource: AnyResource, error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  const key = keyField(resource.fields) ?? 'name'
  throw new ConflictError(`Another ${wordsOf(resource).one} has this ${key}.`, key)
}

/** Throws ValidationError when something is switched off without the reason that this needs. */
function requireReasonToSwitchOff({ fields }: AnyResource, changes: Values, reason: string): void {
  const { enabled: field } = fields
  if (changes.enabled !== false || reason !== '' || field?.kind !== 'switch') return
  if (field.reason !== undefined) throw new ValidationError({ reason: field.reason })
}

/** Throws ConflictError unless a change is based on the object as it is. */
export function requireCurrent(
  resource: AnyResource,
  before: AnyRow,
  { updatedAt, version }: { updatedAt?: unknown; version?: unknown },
): void {
  const { one } = wordsOf(resource)
  if (version !== undefined && version !== before.version) {
    const called = calledOf({ name: before.name, title: before.title })
    throw new ConflictError(
      `Somebody changed ${called} in the meantime: it is at version ${before.version}, you opened version ${version}. Load it again; you can copy your text first.`,
    )
  }
  if (updatedAt === undefined || updatedAt === before.updatedAt.toISOString()) return
  throw new ConflictError(
    `Somebody changed this ${one} after you opened it, so nothing was saved. Load it again and repeat your change.`,
  )
}
