import { z } from 'zod'
import type { Reference } from '../protocol/field-shape'
import { type Definition, isHidden, type Resource, type ResourceFields } from '../protocol/resource'

type Shape<F extends ResourceFields> = {
  [K in keyof F as F[K] extends Reference
    ? F[K]['as']
    : F[K] extends { isSecret: true } | { isConfirmation: true }
      ? never
      : K]: F[K] extends { isMany: true }
    ? z.ZodArray<z.ZodString>
    : F[K] extends Reference
      ? z.ZodNullable<z.ZodString>
      : F[K]['schema']
}

/**
 * Returns the schema of a resource's entries in a site file: its fields, what references are called (null = it was
 * deleted), and no secret.
 */
export function entrySchema<D extends Definition>({
  fields,
}: Resource<D>): z.ZodObject<Shape<D['fields']>, z.core.$strict> {
  const shape = Object.entries<ResourceFields[string]>(fields).flatMap(
    ([name, field]): [string, z.ZodType][] => {
      if (isHidden(field)) return []
      if (field.kind !== 'reference') return [[name, field.schema]]
      const called = field.to === 'user' ? z.string().trim().toLowerCase() : z.string()
      return [[field.as, field.isMany ? listOf(called) : called.nullable()]]
    },
  )
  // Object.fromEntries loses the types of the fields, which `Shape` states.
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodObject<
    Shape<D['fields']>,
    z.core.$strict
  >
}

/** Returns the schema of names in the order in which what is stored is read, so that files that say the same are the same. */
function listOf(called: z.ZodString) {
  return z
    .array(called)
    .max(200)
    .transform((names) => [...new Set(names)].toSorted())
}
