import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/shared/audit-reason'
import type { AnyVerbs } from '@/lib/edge/resource-verbs'
import { keysOf } from '@/lib/protocol/nouns'
import { type AnyResource, jsonName, type ResourceFields } from '@/lib/shape/resource'
import { withIds } from '@/lib/site-file/references'
import { created, type Endpoint, type EndpointCall, serve, withParams } from './endpoint'

/**
 * Returns the endpoints of a resource: list, add, read, change and delete, at its plural. A body names what it refers to
 * by id, or by its name under the name of the reference: `configurationId` or `configuration`.
 */
export function resourceEndpoints(resource: AnyResource, verbs: AnyVerbs): Endpoint[] {
  const { nouns, fields, isPaged } = resource
  const words = keysOf(resource)
  const [noun, many] = [jsonName(words.one), jsonName(words.many)]
  const one = `/${nouns}/{id}` as const
  const One = z.object({ [noun]: resource.Detail })
  const rows = { [many]: z.array(resource.Listing), total: z.number(), whole: z.number() }
  return [
    isPaged
      ? serve('GET', `/${nouns}`, verbs.page, {
          answers: { 200: z.object(rows) },
          answer: ({ output: { rows: found, total, whole } }) =>
            Response.json({ [many]: found, total, whole }),
        })
      : serve('GET', `/${nouns}`, verbs.list, {
          answers: { 200: z.object(rows) },
          answer: ({ output: { rows: found, whole } }) =>
            Response.json({ [many]: found, total: found.length, whole }),
        }),
    serve('POST', `/${nouns}`, verbs.create, {
      ...namedBody(fields, resource.Create),
      answers: { 201: One },
      answer: async ({ ctx, output: { id } }) =>
        created(`/${nouns}/${id}`, { [noun]: await verbs.read(ctx, { id }) }),
    }),
    serve('GET', one, verbs.read, {
      answers: { 200: One },
      answer: ({ output }) => Response.json({ [noun]: output }),
    }),
    serve('PATCH', one, verbs.update, {
      ...namedBody(fields, resource.Update),
      answers: { 200: One },
      answer: async ({ ctx, params: { id = '' } }) =>
        Response.json({ [noun]: await verbs.read(ctx, { id }) }),
    }),
    serve('DELETE', one, verbs.remove),
  ]
}

/** Returns how a body is read in which each reference is an id or a name, and its schema. */
export function namedBody(fields: ResourceFields, schema: z.ZodObject) {
  const input = async ({ ctx, given, params }: EndpointCall) => {
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
    return withParams(isObject ? await withIds(ctx, fields, { ...given }) : given, params)
  }
  return { body: withNames(fields, schema), input }
}

function withNames(fields: ResourceFields, schema: z.ZodObject): z.ZodObject {
  const both = Object.entries(fields).flatMap(([name, field]): [string, z.ZodType][] => {
    const id = schema.shape[name]
    if (field.kind !== 'reference' || !(id instanceof z.ZodType)) return []
    if (field.isSwitched) return [[name, z.array(z.union([z.string(), SwitchedName])).optional()]]
    const called = z.string().max(100)
    const isNullable = field.schema.safeParse(null).success
    const named = field.isMany ? z.array(called) : isNullable ? called.nullable() : called
    return [
      [name, id.optional()],
      [field.as, named.optional()],
    ]
  })
  return z.object({ ...schema.shape, ...Object.fromEntries(both), ...WithReason.shape })
}

/** An object that can be on or off, by its name or its id. */
const SwitchedName = z.object({
  name: z.string().optional(),
  id: z.string().optional(),
  enabled: z.boolean().default(true),
})
