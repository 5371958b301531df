import type { z } from 'zod'
import type { ActionResult } from '@/lib/next/action'
import type { Definition, Resource } from '@/lib/shape/resource'
import { createObject, removeObject, updateObject } from './resource-actions'

type Send<I> = (input: I) => Promise<ActionResult<unknown>>
type WithReason = { reason?: string | undefined }

/** Returns the actions of a resource, with the types of its fields. Pages may hand them to the browser. */
export function objectActions<D extends Definition>({
  noun,
}: Resource<D>): {
  add: Send<z.input<Resource<D>['Create']> & WithReason>
  change: Send<z.input<Resource<D>['Update']> & WithReason>
  remove: Send<{ id: string } & WithReason>
} {
  return {
    add: createObject.bind(null, noun),
    change: updateObject.bind(null, noun),
    remove: removeObject.bind(null, noun),
  }
}
