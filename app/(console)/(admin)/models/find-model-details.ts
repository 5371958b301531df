import { pageObject } from '@/lib/auth/or-not-found'
import { readModel } from '@/lib/domains/models/reads'
import { parseId } from '@/lib/kernel/parse-id'

/** Returns the model that an address names. */
export const findModelDetails = pageObject((ctx, id) =>
  readModel(ctx, { id: parseId(id, 'The model') }),
)
