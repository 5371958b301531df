import type { Values } from '@/lib/edge/resource-values'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { verbsOf } from '@/lib/noun-verbs'
import { wordsOf } from '@/lib/protocol/nouns'
import { type AnyResource, keyField, type ResourceFields } from '@/lib/shape/resource'
import { hasField, missingFields } from '@/lib/shape/resource-parts'
import type { Handler, Work } from './handler'
import { entriesOf, withIds } from './references'
import { fileKey } from './resource-entries'
import { type Kind, siteResources } from './site-file'

/** When a field that differs is written, of an object that is here. */
type PhaseOf = (field: string, change: { before: Values; given: Values }) => keyof Work

/** Switching off narrows, and switching on opens. */
const switchesOpen: PhaseOf = (field, { given }) => {
  if (field !== 'enabled') return 'write'
  return given.enabled === true ? 'finish' : 'narrow'
}

/**
 * Returns how a site file reads and writes the objects of a resource, told apart by their identifiers or names. What needs a
 * secret that is not stored is added, or stays, switched off.
 */
export function resourceHandler<K extends keyof typeof siteResources>(
  kind: K,
  phaseOf: PhaseOf = switchesOpen,
): Handler<K> {
  const { fields, order, ...named }: AnyResource = siteResources[kind]
  const noun = wordsOf(named).one
  const key = keyField(fields) ?? 'name'
  const verbs = verbsOf(kind)
  const rows = async (ctx: Ctx) => (await verbs.list(ctx, { sort: order })).rows
  const create = async (ctx: Ctx, given: Values, reason: string) => {
    requireWhole(noun, fields, given)
    await verbs.create(ctx, { ...(await withIds(ctx, fields, asStored(fields, given))), reason })
  }
  const update = async (ctx: Ctx, given: Values, changed: readonly string[], reason: string) => {
    const said = Object.fromEntries(changed.map((field) => [field, given[field]]))
    const values = await withIds(ctx, fields, asStored(fields, said))
    const stored = (await rows(ctx)).find((each) => each[key] === given[key])
    await verbs.update(ctx, { ...values, id: String(stored?.id), reason })
  }
  const handler: AnyHandler = {
    read: async (ctx) => {
      const found = await entriesOf(fields, await rows(ctx), fileKey)
      return found.toSorted((a, b) => String(a[key]).localeCompare(String(b[key])))
    },
    meant: async (ctx, given, before) => {
      const { [key]: name, enabled = before?.enabled ?? true } = given
      const hasSecrets = Object.values(fields).some(({ isSecret }) => isSecret)
      if (!hasSecrets || enabled !== true || before?.enabled === true) return null
      const row = before && (await rows(ctx)).find((each) => each[key] === name)
      const missing = missingSecrets(fields, { ...before, ...given }, row?.secrets ?? [])
      if (missing.length === 0) {
        const notice = before ? null : withoutSecrets(noun, fields, given)
        return notice === null ? null : { given, notice }
      }
      const stays = before ? 'stays' : 'is added'
      const words = new Intl.ListFormat('en-GB').format(missing)
      const notice = `The ${noun} ${name} ${stays} switched off, because a site file has no secrets: enter its ${words}, then switch it on.`
      return { given: { ...given, enabled: false }, notice }
    },
    work: ({ before, given, changed }) => {
      if (!before) return { write: (ctx, reason) => create(ctx, given, reason) }
      const inPhase = (phase: keyof Work) => {
        const those = [...changed].filter((field) => phaseOf(field, { before, given }) === phase)
        if (those.length === 0) return undefined
        return (ctx: Ctx, reason: string) => update(ctx, given, those, reason)
      }
      return { narrow: inPhase('narrow'), write: inPhase('write'), finish: inPhase('finish') }
    },
  }
  // The entries of the kind are those of the resource: `entrySchema` made both types of its fields.
  return handler as unknown as Handler<K>
}

type AnyHandler = {
  read: (ctx: Ctx) => Promise<Values[]>
  meant: (
    ctx: Ctx,
    given: Values,
    before: Values | null,
  ) => Promise<{ given: Values; notice: string } | null>
  work: (change: {
    before: Values | null
    given: Values
    changed: ReadonlySet<string>
  }) => ReturnType<Handler<Kind>['work']>
}

/** Returns values of a file by the names of the fields. */
function asStored(fields: ResourceFields, given: Values): Values {
  const nameOf = new Map(
    Object.entries(fields).map(([name, field]) => [fileKey(name, field), name]),
  )
  const entries = Object.entries(given).map(([key, value]) => {
    const name = nameOf.get(key) ?? key
    return [fields[name]?.kind === 'reference' ? key : name, value]
  })
  return Object.fromEntries(entries)
}

/** Returns what the secrets are called that an object with these values needs, and that are not stored. */
function missingSecrets(fields: ResourceFields, values: Values, stored: unknown): string[] {
  const names = new Set([stored].flat().map(String))
  const missing = missingFields(fields, values, names)
  return missing.flatMap(([, { isSecret, label }]) => (isSecret ? [label.toLowerCase()] : []))
}

/** Returns what is said about a new object whose secrets a person may have to enter; null = its kind has none. */
function withoutSecrets(noun: string, fields: ResourceFields, given: Values): string | null {
  const secrets = Object.values(fields).filter(
    (field) => field.isSecret && !('required' in field) && hasField(field, given),
  )
  if (secrets.length === 0) return null
  const words = new Intl.ListFormat('en-GB').format(secrets.map(({ label }) => label.toLowerCase()))
  return `The ${noun} ${given[keyField(fields) ?? 'name']} is added without ${words}, because a site file has no secrets. If it needs some, enter them before it is used.`
}

/** Throws ValidationError when an entry that is new leaves out what has no default value. */
function requireWhole(noun: string, fields: ResourceFields, given: Values): void {
  const missing = Object.entries(fields).flatMap(([name, field]) => {
    const key = field.kind === 'reference' ? field.as : name
    const mayMiss =
      field.isSecret ||
      field.defaultValue !== undefined ||
      (field.kind === 'reference' && field.isCallerByDefault)
    return mayMiss || (given[key] !== undefined && given[key] !== null) ? [] : [key]
  })
  if (missing.length === 0) return
  const words = new Intl.ListFormat('en-GB').format(missing)
  throw new ValidationError({ name: `A new ${noun} needs ${words}.` })
}
