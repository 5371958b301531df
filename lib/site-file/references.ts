import { findApiKey } from '@/lib/domains/api-keys/verbs'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { findGroup } from '@/lib/domains/groups/reads'
import { findSkill } from '@/lib/domains/skills/reads'
import { findTask } from '@/lib/domains/tasks/verbs'
import { findUser } from '@/lib/domains/users/reads'
import type { Values } from '@/lib/edge/resource-values'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import type { Reference, ResourceField } from '@/lib/shape/field-shape'
import type { ResourceFields } from '@/lib/shape/resource'
import { isHidden } from '@/lib/shape/resource-schemas'

type Find = (ctx: Ctx, idOrName: string) => Promise<{ id: string }>

/** Finds the object of a reference by its id, identifier, e-mail address or name. */
const finders: Record<Reference['to'], Find> = {
  configuration: findConfiguration,
  task: findTask,
  user: findUser,
  group: findGroup,
  skill: findSkill,
  'api-key': findApiKey,
}

/**
 * Returns values with the ids of what they name: `{ runAs: 'ada@example.org' }` becomes `{ userId }`. Null = it names
 * nothing, which is left out where it has to name something. Throws ValidationError beside what names nothing that exists,
 * with the nearest name.
 */
export async function withIds(ctx: Ctx, fields: ResourceFields, given: Values): Promise<Values> {
  const values: Record<string, unknown> = { ...given }
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'reference' || !(field.as in values)) continue
    const { [field.as]: said } = values
    if (field.isSwitched) values[name] = await withSwitchedIds(ctx, field, said)
    if (field.isSwitched || name in values) continue
    delete values[field.as]
    if (said === null && field.schema.safeParse(null).success) values[name] = null
    if (said === undefined || said === null) continue
    const ids: string[] = []
    for (const each of requireFew(field, [said].flat())) ids.push(await idOf(ctx, field, each))
    values[name] = field.isMany ? ids : ids[0]
  }
  return values
}

/** Returns a list with the id of each entry that is a name, or has one beside its switch. Anything else stays as it is. */
async function withSwitchedIds(ctx: Ctx, field: Reference, said: unknown): Promise<unknown> {
  if (!Array.isArray(said)) return said
  const entries: unknown[] = []
  for (const each of requireFew(field, said)) {
    const { name, ...rest }: Values = typeof each === 'string' ? { name: each } : Object(each)
    entries.push(name === undefined ? each : { ...rest, id: await idOf(ctx, field, name) })
  }
  return entries
}

/** The most names that one field may have: each is looked up before the field itself is checked. */
const mostNames = 200

function requireFew(field: Reference, names: unknown[]): unknown[] {
  if (names.length <= mostNames) return names
  throw new ValidationError({ [field.as]: `At most ${mostNames} entries.` })
}

async function idOf(ctx: Ctx, { to, as }: Reference, called: unknown): Promise<string> {
  try {
    return (await finders[to](ctx, String(called))).id
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    throw new ValidationError({ [as]: error.message })
  }
}

/**
 * Returns what a file says of these objects: no secret, null for what only the console gives, and references by what they are called there. `keyOf`: what a field
 * is called in the file.
 */
export async function entriesOf(
  fields: ResourceFields,
  rows: readonly Values[],
  keyOf: (name: string, field: ResourceField) => string,
): Promise<Values[]> {
  const entries = rows.map((): Record<string, unknown> => ({}))
  for (const [name, field] of Object.entries(fields)) {
    if (isHidden(field)) continue
    const key = keyOf(name, field)
    if (field.kind !== 'reference') {
      for (const [index, entry] of entries.entries())
        entry[key] = field.isOfConsole ? null : rows[index]?.[name]
      continue
    }
    if (field.isSwitched) {
      for (const [index, entry] of entries.entries()) entry[key] = switchedNames(rows[index]?.[key])
      continue
    }
    const referred = rows.map((row) => [row[field.as] ?? []].flat().map(idIn))
    const called = await namesOf(field, referred.flat())
    for (const [index, entry] of entries.entries()) {
      const names = (referred[index] ?? []).flatMap((id) => called.get(id) ?? [])
      entry[field.as] = field.isMany ? names.toSorted() : (names[0] ?? null)
    }
  }
  return entries
}

/** Returns a list of what can be on or off as a file has it: by its names. */
function switchedNames(listed: unknown): Values[] {
  return [listed ?? []].flat().map((each) => {
    const { name, enabled }: Values = { ...Object(each) }
    return { name, enabled }
  })
}

function idIn(referred: unknown): string {
  const { id }: Values = { ...Object(referred) }
  return String(id)
}

/**
 * Returns by id what a site file calls these objects. An account that was deleted is left out, but where no name would stand for
 * any account: there it has the address that it was stored with.
 */
async function namesOf(
  { to, schema }: Pick<Reference & ResourceField, 'to' | 'schema'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const where = { id: { in: [...new Set(ids)] } }
  const withDeleted = schema.safeParse(null).success
  return new Map((await readNames(to, where, withDeleted)).map(({ id, called }) => [id, called]))
}

async function readNames(
  to: Reference['to'],
  where: { id: { in: string[] } },
  withDeleted: boolean,
) {
  switch (to) {
    case 'configuration': {
      const rows = await db().configuration.findMany({ where })
      return rows.map(({ id, identifier: called }) => ({ id, called }))
    }
    case 'task': {
      const rows = await db().task.findMany({ where, select: { id: true, identifier: true } })
      return rows.map(({ id, identifier: called }) => ({ id, called }))
    }
    case 'user': {
      const living = withDeleted ? {} : { deletedAt: null }
      const rows = await db().user.findMany({ where: { ...where, ...living } })
      return rows.map(({ id, email: called }) => ({ id, called }))
    }
    case 'group': {
      const rows = await db().group.findMany({ where })
      return rows.map(({ id, name: called }) => ({ id, called }))
    }
    case 'skill': {
      const rows = await db().skill.findMany({ where, select: { id: true, name: true } })
      return rows.map(({ id, name: called }) => ({ id, called }))
    }
    case 'api-key': {
      const rows = await db().apiKey.findMany({ where, select: { id: true, prefix: true } })
      return rows.map(({ id, prefix: called }) => ({ id, called }))
    }
    default:
      return to satisfies never
  }
}
