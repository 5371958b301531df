import { z } from 'zod'
import type { Reference, ResourceField } from './field-shape'

type Fields = Readonly<Record<string, ResourceField>>

const Named = z.object({ id: z.string(), name: z.string() })

/** Shown form of a reference; null: its object was deleted, or it names none. */
export const referenceSchemas = {
  configuration: Named.nullable(),
  task: Named,
  user: z.object({ id: z.string(), email: z.string() }),
  group: Named,
  skill: Named,
  'api-key': Named.extend({ prefix: z.string() }),
} satisfies Record<Reference['to'], z.ZodType>

/** Shown form of a reference to an object that can be on or off. */
export const SwitchedReference = Named.extend({ enabled: z.boolean() })

/** Returns whether a field is written and never shown. */
export function isHidden({ isSecret, isConfirmation }: ResourceField): boolean {
  return isSecret === true || isConfirmation === true
}

/** Returns the schemas of the fields of a new object: those with a default value may be left out. */
export function newShape(fields: Fields): z.ZodRawShape {
  return mapFields(fields, (field) => {
    const { schema, defaultValue } = field
    if (field.kind === 'reference' && field.isCallerByDefault) return schema.optional()
    return defaultValue === undefined ? schema : schema.default(defaultValue)
  })
}

/** Returns the schemas of the fields that a change may set; each may be left out. */
export function changeShape(fields: Fields): z.ZodRawShape {
  return mapFields(fields, ({ schema, isFixed }) => (isFixed ? null : schema.optional()))
}

function mapFields(fields: Fields, to: (field: ResourceField) => z.ZodType | null) {
  const entries = Object.entries(fields).flatMap(([name, field]): [string, z.ZodType][] => {
    const schema = to(field)
    return schema ? [[name, schema]] : []
  })
  return Object.fromEntries(entries)
}

/** Returns the schemas of what is shown of the fields: of a reference what it is called, of what is hidden nothing. */
export function shownShape(fields: Fields): z.ZodRawShape {
  const shown = Object.entries(fields).flatMap(([name, field]) => shownField(name, field, false))
  return Object.fromEntries(shown)
}

function shownField(
  name: string,
  field: ResourceField,
  mayMiss: boolean,
): [name: string, schema: z.ZodType][] {
  if (isHidden(field)) return []
  const isReference = field.kind === 'reference'
  const schema = isReference ? shownReference(field) : (field.stored ?? withoutRules(field.schema))
  const usual = mayMiss ? field.defaultValue : undefined
  return [[isReference ? field.as : name, usual === undefined ? schema : schema.default(usual)]]
}

type Shown = Reference & Pick<ResourceField, 'schema'>

function shownReference({ to, isMany, isSwitched, schema }: Shown): z.ZodType {
  if (isSwitched) return z.array(SwitchedReference)
  if (isMany) return z.array(referenceSchemas[to])
  return schema.safeParse(null).success ? referenceSchemas[to].nullable() : referenceSchemas[to]
}

/**
 * Returns the schemas of what a version stores: what is shown of the fields but the switch. Versions from before a field
 * have its default value.
 */
export function versionShape(fields: Fields): z.ZodRawShape {
  const kept = Object.entries(fields).filter(([, { kind }]) => kind !== 'switch')
  return Object.fromEntries(kept.flatMap(([name, field]) => shownField(name, field, true)))
}

/**
 * Returns what a schema lets through, without its rules: what is stored may be from before a rule. (zod declares what is
 * inside a schema without its methods.)
 */
function withoutRules(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return withoutRules(unwrapped(schema)).nullable()
  if (schema instanceof z.ZodDefault) return withoutRules(unwrapped(schema))
  if (schema instanceof z.ZodArray) return z.array(withoutRules(schema.element as z.ZodType))
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return z.string()
  return schema instanceof z.ZodNumber ? z.number() : schema
}

function unwrapped(schema: z.ZodNullable | z.ZodDefault): z.ZodType {
  return schema.unwrap() as z.ZodType
}

/**
 * Returns the schema of an object with a further rule: what `together` says of some of its fields, once all of them are
 * given. Each may be right while they do not fit one another.
 */
export function fitting<S extends z.ZodObject>(schema: S, together: z.ZodObject | undefined): S {
  if (!together) return schema
  return schema.superRefine((values, issues) => {
    for (const [path, message] of misfits(values, together)) {
      issues.addIssue({ code: 'custom', message, path: path.split('.') })
    }
  })
}

/** Returns what does not fit one another in these values, a sentence by the path of each field. */
export function misfits(
  values: Readonly<Record<string, unknown>>,
  together: z.ZodObject | undefined,
): [path: string, message: string][] {
  if (!together) return []
  const names = Object.keys(together.shape)
  if (names.some((name) => values[name] === undefined)) return []
  const { error } = together.safeParse(values)
  return (error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])
}
