import { z } from 'zod'
import { Identifier, Name } from '../protocol/identifier'
import { didYouMean } from '../protocol/nearest-name'
import { type AnyResource, calledOf, keyField, wordsOf } from '../protocol/resource'
import { unfitFields } from '../protocol/resource-parts'
import { isUniqueViolation, type Tx } from './db'
import { ConflictError, NotFoundError, ValidationError } from './errors'
import { parseId } from './parse-id'
import type { AnyOptions, AnyRow, Caller } from './resource-options'
import { listReader } from './resource-rows'
import { keepSecrets, storedSecrets } from './resource-secrets'
import {
  auditedFacts,
  differing,
  partConfirmations,
  replacedSecrets,
  requireReferences,
  shownName,
  type Values,
} from './resource-values'
import { addVersion } from './resource-versions'
import { type AuditedChange, type Change, changed, unchanged } from './verb'

/** How a change is said in the audit and in a history; `action` only where it is not the verb's name. */
export type Said = { reason: string; action?: string }

/** What came of a change. `version`: the one that counts then, where there are versions. */
export type Written = { version: number; changed: boolean }

/** Returns how objects of a resource are found, shown, added and changed, whatever the operation is. */
export function changesOf(resource: AnyResource, options: AnyOptions) {
  const { noun, fields, isVersioned } = resource
  const { one, many } = wordsOf(resource)
  const { most, store, check, touched } = options
  const key = keyField(fields)
  const whole = { resource, options }

  /** Returns what the audit stores of an object. A version has all of it but the switch, so that its row says the same. */
  const facts = (row: AnyRow): Values => ({
    ...(isVersioned ? resource.Version.parse(row) : auditedFacts(fields, row)),
    ...options.audited?.(row),
  })
  const listingOf = ({ updatedAt, ...row }: AnyRow): Values =>
    resource.Listing.parse({
      ...row,
      ...options.listed?.({ ...row, updatedAt }),
      ...(options.secrets && { secrets: storedSecrets(whole, row) }),
      updatedAt: updatedAt.toISOString(),
    })
  const readList = listReader(options, listingOf)

  const find = async (client: Tx, asked: string): Promise<AnyRow> => {
    const where = whereOf(resource, asked)
    const row = await store.find(client, where)
    if (row) return row
    if ('id' in where) throw new NotFoundError(`This ${one}`)
    const [called = ''] = Object.values(where)
    const { rows } = await readList({ sort: resource.order }, null)
    const names = rows.map((each) => String(each[key ?? 'id']))
    throw new NotFoundError(`The ${one} ${called}`, didYouMean(called, names))
  }

  /** Throws what forbids a change: references to what does not exist, fields that do not fit one another. */
  const allow = async (caller: Caller, values: Values, before: AnyRow | null) => {
    await requireReferences(caller.tx, fields, values)
    const stored = before ? storedSecrets(whole, before) : []
    const kept = new Set(stored.filter((name) => values[name] === undefined))
    const errors = unfitFields(resource, { ...before, ...values }, kept)
    if (Object.keys(errors).length > 0) throw new ValidationError(errors)
    await check?.(caller, values, before, kept)
  }
  const explain = (error: unknown): never => {
    if (!isUniqueViolation(error)) throw error
    throw new ConflictError(`Another ${one} has this ${key ?? 'name'}.`, key ?? 'name')
  }

  /** Adds an object. The values are those of its fields, with the default ones. */
  const insert = async (
    caller: Caller,
    values: Values,
    said: Said,
  ): Promise<Change<{ id: string }, string>> => {
    const { ctx, tx } = caller
    if (most !== undefined && (await store.count(tx)) >= most) {
      const already = `There are already ${most.toLocaleString('en')} ${many}, the maximum.`
      throw new ConflictError(`${already} Delete one first.`)
    }
    await allow(caller, values, null)
    const { stored, confirmed } = partConfirmations(fields, values)
    const [columns, secrets] = await keepSecrets(tx, whole, stored, null)
    const row = isVersioned ? columns : { ...columns, createdByLabel: ctx.actor.email }
    const { id } = await store.insert(tx, row, secrets).catch(explain)
    await touched?.(tx, id)
    const added = await find(tx, id)
    if (options.versions) await addVersion(caller, whole, added, said.reason)
    return changed({ id }, { subject: id, after: { ...facts(added), ...confirmed }, ...said })
  }

  /** Changes an object to have the given values; those that are left out stay. */
  const write = async (
    caller: Caller,
    before: AnyRow,
    given: Values,
    said: Said,
  ): Promise<Change<Written, string>> => {
    const { tx } = caller
    const { stored, confirmed } = partConfirmations(fields, given)
    const secretNames = storedSecrets(whole, before)
    const changes = differing(fields, stored, { ...before, secrets: secretNames })
    await allow(caller, { ...changes, ...confirmed }, before)
    const names = Object.keys(changes)
    const old = Number(before.version)
    if (names.length === 0) return unchanged({ version: old, changed: false })
    requireReasonToSwitchOff(resource, changes, said.reason)
    const isNew = isVersioned === true && names.some((name) => fields[name]?.kind !== 'switch')
    const [columns, secrets] = await keepSecrets(tx, whole, changes, before)
    const row = isNew ? { ...columns, version: old + 1 } : columns
    await store.write(tx, before.id, row, secrets).catch(explain)
    await touched?.(tx, before.id)
    const after = await find(tx, before.id)
    if (isNew) await addVersion(caller, whole, after, said.reason)
    const rows = audited({ before, after, changes, confirmed, said })
    return changed({ version: Number(after.version), changed: true }, ...rows)
  }

  type Step = { before: AnyRow; after: AnyRow; changes: Values; confirmed: Values; said: Said }

  /** Returns what the audit has: first the other fields, then the switch, so that it can be searched for who switched it. */
  const audited = ({ before, after, changes, confirmed, said }: Step): AuditedChange<string>[] => {
    const { id: subject } = before
    const others = Object.keys(changes).filter((name) => fields[name]?.kind !== 'switch')
    const further = { ...replacedSecrets(fields, changes), ...confirmed }
    const between = 'enabled' in changes ? { ...after, enabled: before.enabled } : after
    const action = `${noun}.switch-${after.enabled === true ? 'on' : 'off'}`
    const { reason } = said
    return [
      ...(others.length > 0
        ? [
            {
              subject,
              before: sideOf(before, others),
              after: { ...sideOf(between, others), ...further },
              ...said,
            },
          ]
        : []),
      ...(between === after
        ? []
        : [{ subject, action, before: switchSide(between), after: switchSide(after), reason }]),
    ]
  }

  /** Returns one side of a change: the whole object, or of what has versions the fields that differ. */
  const sideOf = (row: AnyRow, names: readonly string[]): Values => {
    const all = facts(row)
    if (!isVersioned) return all
    const shown = names.map((name) => shownName(name, fields[name]))
    const some = Object.entries(all).filter(([name]) => name === key || shown.includes(name))
    return { ...Object.fromEntries(some), version: row.version }
  }
  const switchSide = (row: AnyRow): Values => {
    const { enabled } = row
    return isVersioned ? { [key ?? 'name']: row[key ?? 'name'], enabled } : facts(row)
  }

  return { facts, listingOf, readList, find, insert, write }
}

/** Throws ValidationError when something is switched off without the reason that this needs. */
function requireReasonToSwitchOff({ fields }: AnyResource, changes: Values, reason: string): void {
  const { enabled: field } = fields
  if (changes.enabled !== false || reason !== '' || field?.kind !== 'switch') return
  if (field.reason !== undefined) throw new ValidationError({ reason: field.reason })
}

/** Returns which object is meant by an id, or by what tells objects apart. Throws NotFoundError. */
export function whereOf(
  resource: AnyResource,
  asked: string,
): { id: string } | Record<string, string> {
  const key = keyField(resource.fields)
  const schema = key === 'identifier' ? Identifier : Name
  const called = schema.safeParse(asked)
  const isCalled = key !== null && called.success && !z.uuid().safeParse(asked).success
  return isCalled ? { [key]: called.data } : { id: parseId(asked, `This ${wordsOf(resource).one}`) }
}

/** Throws ConflictError unless a change is based on the object as it is. */
export function requireCurrent(
  resource: AnyResource,
  before: AnyRow,
  { updatedAt, version }: { updatedAt?: unknown; version?: unknown },
): void {
  const { one } = wordsOf(resource)
  if (version !== undefined && version !== before.version) {
    throw new ConflictError(
      `Somebody changed ${calledOf({ name: before.name, title: before.title })} in the meantime: it is at version ${before.version}, you opened version ${version}. Load it again; you can copy your text first.`,
    )
  }
  if (updatedAt === undefined || updatedAt === before.updatedAt.toISOString()) return
  throw new ConflictError(
    `Somebody changed this ${one} after you opened it, so nothing was saved. Load it again and repeat your change.`,
  )
}
