import { z } from 'zod'
import type { Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { wordsOf } from '@/lib/protocol/nouns'
import { Identifier, Name } from '@/lib/shape/identifier'
import { searchedTexts } from '@/lib/shape/listed-fields'
import {
  type AnyResource,
  type Definition,
  keyField,
  type Resource,
  untyped,
} from '@/lib/shape/resource'
import { didYouMean } from '@/lib/words/nearest-name'
import type { AnyOptions, AnyRow, Where } from './resource-options'
import { listReader } from './resource-rows'
import { storedSecrets } from './resource-secrets'
import type { Values } from './resource-values'

/** Returns how objects of a resource are found and shown. */
export function readsOf(resource: AnyResource, options: AnyOptions) {
  const { one } = wordsOf(resource)
  const listingOf = ({ updatedAt, ...row }: AnyRow): Values =>
    resource.Listing.parse({
      ...row,
      ...options.listed?.({ ...row, updatedAt }),
      ...(options.secrets && { secrets: storedSecrets({ resource, options }, row) }),
      updatedAt: updatedAt.toISOString(),
    })
  const searched = (row: Values) => searchedTexts(resource.fields, row)
  const readList = listReader({ searched, ...options }, listingOf)

  /** Returns an object by its id, or by what tells objects apart. Throws NotFoundError with the nearest of these. */
  const find = async (client: Tx, idOrName: string): Promise<AnyRow> => {
    const where = whereOf(resource, idOrName)
    const row = await options.store.find(client, where)
    if (row) return row
    if ('id' in where) throw new NotFoundError(`This ${one}`)
    const [[key, called] = ['', '']] = Object.entries(where)
    const { rows } = await readList({ sort: resource.order }, null)
    const names = rows.map((each) => String(each[key]))
    throw new NotFoundError(`The ${one} ${called}`, didYouMean(called, names))
  }
  return { listingOf, readList, find }
}

/**
 * Returns what finds an object for operations of its noun, by its id or by what tells objects apart. It throws
 * NotFoundError.
 */
export function requireStored<D extends Definition, S>(
  typed: Resource<D>,
  find: (client: Tx, where: Where<D>) => Promise<S | null>,
) {
  const resource = untyped(typed)
  return async (client: Tx, idOrName: string): Promise<S> => {
    // The field that `whereOf` names is the one that `Where` allows.
    const row = await find(client, whereOf(resource, idOrName) as unknown as Where<D>)
    if (row) return row
    throw new NotFoundError(`This ${wordsOf(resource).one}`)
  }
}

/** Returns which object is meant by an id, or by what tells objects apart. Throws NotFoundError. */
export function whereOf(
  { fields, ...named }: AnyResource,
  idOrName: string,
): { id: string } | Record<string, string> {
  const key = keyField(fields)
  const called = (key === 'identifier' ? Identifier : Name).safeParse(idOrName)
  const isCalled = key !== null && called.success && !z.uuid().safeParse(idOrName).success
  return isCalled ? { [key]: called.data } : { id: parseId(idOrName, `This ${wordsOf(named).one}`) }
}
