import { z } from 'zod'
import type { Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import type { ResourceField } from '@/lib/shape/field-shape'
import type { ResourceFields } from '@/lib/shape/resource'
import { isHidden } from '@/lib/shape/resource-schemas'

/** The values of a resource's fields, by their names. */
export type Values = Readonly<Record<string, unknown>>

/** Returns the values with the caller for each person that was left out. */
export function withCaller(fields: ResourceFields, values: Values, caller: string): Values {
  const callers = Object.entries(fields).filter(
    ([name, field]) =>
      field.kind === 'reference' && field.isCallerByDefault && values[name] === undefined,
  )
  return { ...values, ...Object.fromEntries(callers.map(([name]) => [name, caller])) }
}

/** Returns the values that are stored, and the confirmations among them that are true. */
export function partConfirmations(fields: ResourceFields, values: Values) {
  const isOne = ([name]: [string, unknown]) => fields[name]?.isConfirmation === true
  const all = Object.entries(values)
  return {
    stored: Object.fromEntries(all.filter((each) => !isOne(each))),
    confirmed: Object.fromEntries(all.filter((each) => isOne(each) && each[1] === true)),
  }
}

/**
 * Returns the given values that differ from what is stored. A secret, which is not read, always does, but for one that is
 * taken away and not among the stored `secrets`.
 */
export function differing(
  fields: ResourceFields,
  given: Values,
  before: Values & { secrets: readonly string[] },
): Values {
  const same = (name: string) =>
    fields[name]?.isSecret
      ? given[name] === null && !before.secrets.includes(name)
      : JSON.stringify(given[name]) === JSON.stringify(asGiven(fields[name], before[name]))
  const names = Object.keys(given).filter((name) => given[name] !== undefined && !same(name))
  return Object.fromEntries(names.map((name) => [name, given[name]]))
}

/** Returns what is shown in a field as it would be given again. */
function asGiven(field: ResourceField | undefined, shown: unknown): unknown {
  if (field?.kind !== 'reference' || !field.isSwitched) return shown
  return z.array(SwitchedId).parse(shown)
}

const Id = z.object({ id: z.string() })
const SwitchedId = Id.extend({ enabled: z.boolean() })

/** Returns what is shown of an object as it would be given again: references by their ids. */
export function givenAgain(fields: ResourceFields, shown: Values): Values {
  const entries = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const said = shown[shownName(name, field)]
    if (said === undefined) return []
    if (field.kind !== 'reference' || field.isSwitched) return [[name, asGiven(field, said)]]
    const ids = z.array(Id).parse([said ?? []].flat())
    return [[name, field.isMany ? ids.map(({ id }) => id) : (ids[0]?.id ?? null)]]
  })
  return Object.fromEntries(entries)
}

/** Returns the name under which a field is shown: of a reference what it is called. */
export function shownName(name: string, field: ResourceField | undefined): string {
  return field?.kind === 'reference' ? field.as : name
}

const wordOf = {
  configuration: 'configuration',
  task: 'task',
  user: 'person',
  group: 'group',
  skill: 'skill',
  'api-key': 'API key',
} as const

/** Throws ValidationError beside the field whose configuration, person or group does not exist. */
export async function requireReferences(
  tx: Tx,
  fields: ResourceFields,
  values: Values,
): Promise<void> {
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name]
    if (field.kind !== 'reference' || value === undefined || value === null) continue
    const ids = field.isSwitched
      ? z
          .array(Id)
          .parse(value)
          .map(({ id }) => id)
      : value
    await requireReferred(tx, name, field.to, ids)
  }
}

/** Throws ValidationError beside the field unless the object with this id exists, or each object of a list. */
export async function requireReferred(
  tx: Tx,
  name: string,
  to: keyof typeof wordOf,
  idOrName: unknown,
): Promise<void> {
  const ids = [...new Set([idOrName].flat().map(String))]
  if ((await countReferred(tx, to, ids)) === ids.length) return
  throw new ValidationError({ [name]: `This ${wordOf[to]} does not exist. Pick another.` })
}

async function countReferred(tx: Tx, to: keyof typeof wordOf, ids: string[]): Promise<number> {
  const where = { id: { in: ids } }
  switch (to) {
    case 'configuration':
      return tx.configuration.count({ where })
    case 'task':
      return tx.task.count({ where })
    case 'user':
      return tx.user.count({ where: { ...where, deletedAt: null } })
    case 'group':
      return tx.group.count({ where })
    case 'skill':
      return tx.skill.count({ where })
    case 'api-key':
      return tx.apiKey.count({ where: { ...where, revokedAt: null } })
    default:
      return to satisfies never
  }
}

/** Returns what the audit stores of an object: each field that is no secret, and what references are called. */
export function auditedFacts(fields: ResourceFields, row: Values): Values {
  const shown = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    if (isHidden(field)) return []
    if (field.kind !== 'reference') return [[name, row[name]]]
    const called = row[field.as]
    return [[field.as, Array.isArray(called) ? called.map(nameIn) : nameIn(called)]]
  })
  return Object.fromEntries(shown)
}

/** Returns what the audit stores of secrets that a change replaces. */
export function replacedSecrets(fields: ResourceFields, changes: Values): Values {
  const names = Object.keys(changes).filter((name) => fields[name]?.isSecret)
  return Object.fromEntries(names.map((name) => [name, 'replaced']))
}

function nameIn(referred: unknown): unknown {
  const { name, email }: Values = { ...Object(referred) }
  return name ?? email ?? null
}
