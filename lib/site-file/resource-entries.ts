import { z } from 'zod'
import { maxSkills } from '@/lib/domains/skills/schemas'
import type { Reference, ResourceField } from '@/lib/shape/field-shape'
import type { ResourceFields } from '@/lib/shape/resource'
import { isHidden } from '@/lib/shape/resource-schemas'
import { parseUsd } from '@/lib/words/format'

type KeyOf<F extends ResourceField, K> = F extends Reference
  ? F['as']
  : F extends { isSecret: true } | { isConfirmation: true }
    ? never
    : F extends { codec: 'usd' }
      ? K extends `${infer Amount}MicroUsd`
        ? `${Amount}Usd`
        : K
      : K

type Shape<F extends ResourceFields> = {
  [K in keyof F as KeyOf<F[K], K>]: F[K] extends { isSwitched: true }
    ? typeof SwitchedNames
    : F[K] extends { isMany: true }
      ? z.ZodArray<z.ZodString>
      : F[K] extends Reference
        ? z.ZodNullable<z.ZodString>
        : F[K]['schema']
}

/** US dollars as a file has them, in quotes; stored in micro-USD. */
export const Usd = z.union([z.string(), z.number()]).transform((value, issues) => {
  const microUsd = parseUsd(String(value))
  if (microUsd !== null) return microUsd
  issues.addIssue({ code: 'custom', message: 'Write US dollars such as "0.75".' })
  return z.NEVER
})

/** Objects that can be on or off where they are named, in order. */
export const SwitchedNames = z
  .array(
    z.strictObject({ name: z.string(), enabled: z.boolean('Give true or false.').default(true) }),
  )
  .max(maxSkills, `At most ${maxSkills} skills.`)
  .refine((skills) => new Set(skills.map(({ name }) => name)).size === skills.length, {
    message: 'Name each skill once.',
  })

/** Returns what a field is called in a file: a reference by what names it, money as US dollars. */
export function fileKey(name: string, field: ResourceField): string {
  if (field.kind === 'reference') return field.as
  return isMoney(field) ? name.replace(/MicroUsd$/, 'Usd') : name
}

function isMoney(field: ResourceField): boolean {
  return 'codec' in field && field.codec === 'usd'
}

/** The schema of a resource's entries. */
export type EntrySchema<R extends { fields: ResourceFields }> = z.ZodObject<
  Shape<R['fields']>,
  z.core.$strict
>

/**
 * Returns the schema of a resource's entries in a site file: its fields, what references are called (null = it was
 * deleted), and no secret.
 */
export function entrySchema<R extends { fields: ResourceFields }>({ fields }: R): EntrySchema<R> {
  const shape = Object.entries<ResourceFields[string]>(fields).flatMap(
    ([name, field]): [string, z.ZodType][] => {
      return isHidden(field) ? [] : [[fileKey(name, field), inFile(field)]]
    },
  )
  // Object.fromEntries loses the types of the fields, which `Shape` states.
  return z.strictObject(Object.fromEntries(shape)) as unknown as EntrySchema<R>
}

function inFile(field: ResourceField): z.ZodType {
  if (field.kind === 'reference') {
    if (field.isSwitched) return SwitchedNames
    const called = field.to === 'user' ? z.string().trim().toLowerCase() : z.string()
    return field.isMany ? listOf(called) : called.nullable()
  }
  if (field.isOfConsole) return z.null(`Only a person on the console gives this (${field.label}).`)
  return isMoney(field) ? inDollars(field.schema) : field.schema
}

/** Returns the schema of an amount as a file has it, which becomes the one that is stored; null stays null. */
function inDollars(stored: z.ZodType): z.ZodType {
  return z.unknown().transform((said, issues) => {
    const dollars = Usd.nullable().safeParse(said)
    const amount = dollars.success ? stored.safeParse(dollars.data) : dollars
    for (const { message } of amount.error?.issues ?? [])
      issues.addIssue({ code: 'custom', message })
    return amount.data
  })
}

/** Returns the schema of names in the order in which what is stored is read, so that files that say the same are the same. */
function listOf(called: z.ZodString) {
  return z
    .array(called)
    .max(200)
    .transform((names) => [...new Set(names)].toSorted())
}

/** Returns the schemas of the entries of several resources, by their kinds. */
export function entrySchemasOf<R extends Record<string, { fields: ResourceFields }>>(
  resources: R,
): { [K in keyof R]: EntrySchema<R[K]> } {
  const schemas = Object.entries(resources).map(([kind, described]) => [
    kind,
    entrySchema(described),
  ])
  // Object.fromEntries loses the kinds.
  return Object.fromEntries(schemas) as { [K in keyof R]: EntrySchema<R[K]> }
}
