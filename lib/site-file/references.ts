import { findConfiguration } from '../domains/configurations/reads'
import { findGroup } from '../domains/groups/reads'
import { findUser } from '../domains/users/reads'
import type { Ctx } from '../kernel/context'
import { db } from '../kernel/db'
import { NotFoundError, ValidationError } from '../kernel/errors'
import type { Values } from '../kernel/resource-values'
import type { Reference } from '../protocol/field-shape'
import type { ResourceFields } from '../protocol/resource'

type Find = (ctx: Ctx, idOrName: string) => Promise<{ id: string }>

/** What a reference can be given as, beside an id: an identifier, an e-mail address, a name. */
const finders: Record<Reference['to'], Find> = {
  configuration: findConfiguration,
  user: findUser,
  group: findGroup,
}

/**
 * Returns values with the ids of what they name: `{ runAs: 'ada@example.org' }` becomes `{ userId }`. Null = it names
 * nothing, which is left out where it has to name something. Throws ValidationError beside what names nothing that exists,
 * with the nearest name.
 */
export async function withIds(ctx: Ctx, fields: ResourceFields, given: Values): Promise<Values> {
  const values: Record<string, unknown> = { ...given }
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'reference' || !(field.as in values) || name in values) continue
    const { [field.as]: said } = values
    delete values[field.as]
    if (said === null && field.schema.safeParse(null).success) values[name] = null
    if (said === undefined || said === null) continue
    const ids: string[] = []
    for (const each of [said].flat()) ids.push(await idOf(ctx, field, each))
    values[name] = field.isMany ? ids : ids[0]
  }
  return values
}

async function idOf(ctx: Ctx, { to, as }: Reference, called: unknown): Promise<string> {
  try {
    return (await finders[to](ctx, String(called))).id
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    throw new ValidationError({ [as]: error.message })
  }
}

/** Returns by id what a site file calls these objects. What was deleted is left out. */
export async function namesOf(
  to: Reference['to'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const where = { id: { in: [...new Set(ids)] } }
  return new Map((await readNames(to, where)).map(({ id, called }) => [id, called]))
}

async function readNames(to: Reference['to'], where: { id: { in: string[] } }) {
  switch (to) {
    case 'configuration': {
      const rows = await db().configuration.findMany({ where })
      return rows.map(({ id, identifier: called }) => ({ id, called }))
    }
    case 'user': {
      const rows = await db().user.findMany({ where: { ...where, deletedAt: null } })
      return rows.map(({ id, email: called }) => ({ id, called }))
    }
    case 'group': {
      const rows = await db().group.findMany({ where })
      return rows.map(({ id, name: called }) => ({ id, called }))
    }
    default:
      return to satisfies never
  }
}
