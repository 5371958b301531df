import type { ChangeTx } from '@/lib/kernel/db'
import type { AnyResource } from '@/lib/shape/resource'
import { hasField } from '@/lib/shape/resource-parts'
import type { AnyOptions } from './resource-options'
import type { Values } from './resource-values'

type Whole = { resource: AnyResource; options: AnyOptions }

/** Returns the names of the secrets that are stored of an object. */
export function storedSecrets({ resource, options }: Whole, row: Values): string[] {
  const columns = Object.entries(options.secrets?.columns ?? {})
  return columns.flatMap(([name, column]) => {
    const field = resource.fields[name]
    return field && hasField(field, row) && idIn(row, column) !== null ? [name] : []
  })
}

/**
 * Stores the given secrets in the vault. Returns the values without them and with the columns of their ids, and the secrets
 * in clear. `before` null = the object is new.
 */
export async function keepSecrets(
  tx: ChangeTx,
  { resource, options }: Whole,
  values: Values,
  before: Values | null,
): Promise<[columns: Values, secrets: Values]> {
  const columns: Record<string, unknown> = { ...values }
  const secrets: Record<string, unknown> = {}
  const { vault, columns: columnOf = {} } = options.secrets ?? {}
  for (const [name, column] of Object.entries(columnOf)) {
    const { [name]: given } = values
    delete columns[name]
    const field = resource.fields[name]
    if (given === undefined || !field || !hasField(field, { ...before, ...values })) continue
    secrets[name] = given
    const purpose = `${resource.noun}-${column.replace(/(Secret)?Id$/, '')}`
    const plaintext = given === null ? null : String(given)
    columns[column] = await vault?.keep(tx, purpose, idIn(before ?? {}, column), plaintext)
  }
  return [columns, secrets]
}

/** Removes the secrets of an object that was deleted. */
export async function removeSecrets(tx: ChangeTx, { options }: Whole, row: Values): Promise<void> {
  const { vault, columns = {} } = options.secrets ?? {}
  const ids = Object.values(columns).flatMap((column) => idIn(row, column) ?? [])
  await vault?.remove(tx, [...new Set(ids)])
}

function idIn(row: Values, column: string): string | null {
  const { [column]: id } = row
  return typeof id === 'string' ? id : null
}
