import { z } from 'zod'
import { auditLabel } from '@/lib/kernel/context'
import { isUniqueViolation, type Tx } from '@/lib/kernel/db'
import { AppError, ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { wordsOf } from '@/lib/protocol/nouns'
import { type AnyResource, keyField } from '@/lib/shape/resource'
import type { AnyOptions, AnyRow, Caller, StoredVersion } from './resource-options'
import { givenAgain, type Values } from './resource-values'

/** Stored version of an object: its fields, and the names of its references. */
const VersionData = z.record(z.string(), z.json())

type Whole = { resource: AnyResource; options: AnyOptions }

/** Stores an object as it is now as its newest version. */
export async function addVersion(
  { ctx, tx }: Caller,
  { resource, options }: Whole,
  row: AnyRow,
  note: string,
): Promise<void> {
  const data = VersionData.parse(asText(resource, resource.Version.parse(row)))
  const version = { version: Number(row.version), data, note, createdByLabel: auditLabel(ctx) }
  await options.versions?.add(tx, row.id, version).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    throw new ConflictError(
      `Somebody changed the ${wordsOf(resource).one} at the same moment. Try again.`,
    )
  })
}

/** Returns values with JSON as text where the order of its keys counts, which jsonb would forget. */
function asText({ fields }: AnyResource, values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => {
    const field = fields[name]
    const isText = field && 'codec' in field && field.codec === 'json' && value !== null
    return [name, isText ? JSON.stringify(value) : value]
  })
  return Object.fromEntries(entries)
}

/** Returns a version as people and programs see it. */
export function versionView(resource: AnyResource, stored: StoredVersion) {
  const { version, data, note, createdByLabel, createdAt } = stored
  const form: Values = resource.Version.parse(data)
  return { version, form, note, createdByLabel, createdAt: createdAt.toISOString() }
}

/** Returns the values of the fields in a version, to be written again. Throws NotFoundError when there is no such version. */
export async function valuesOfVersion(
  tx: Tx,
  { resource, options }: Whole,
  id: string,
  version: number,
): Promise<Values> {
  const stored = await options.versions?.find(tx, id, version)
  if (!stored) throw new NotFoundError(`Version ${version}`)
  return givenAgain(resource.fields, resource.Version.parse(stored.data))
}

/** Says why a version cannot be restored. */
export function notRestored(error: unknown, version: number): never {
  if (!(error instanceof AppError)) throw error
  throw new ConflictError(`Version ${version} cannot be restored. ${error.message}`)
}

/** Returns the note of a copy. */
export function copyNote({ fields }: AnyResource, row: AnyRow): string {
  return `A copy of ${row[keyField(fields) ?? 'id']}.`
}
