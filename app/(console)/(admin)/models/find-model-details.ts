import { readModel } from '@/lib/domains/models/reads'
import { parseId } from '@/lib/kernel/parse-id'
import { pageObject } from '@/lib/next/or-not-found'

/** Returns the model that an address names. */
export const findModelDetails = pageObject((ctx, id) =>
  readModel(ctx, { id: parseId(id, 'The model') }),
)
