import { readModel } from '@toolgate/server/domains/models/reads'
import { parseId } from '@toolgate/server/kernel/parse-id'
import { pageObject } from '@/lib/next/or-not-found'

/** Returns the model that an address names. */
export const findModelDetails = pageObject((ctx, id) =>
  readModel(ctx, { id: parseId(id, 'The model') }),
)
