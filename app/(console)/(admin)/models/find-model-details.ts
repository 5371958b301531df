import { notFound } from 'next/navigation'
import { readModel } from '@/lib/domains/models/reads'
import type { ModelDetails } from '@/lib/domains/models/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'

/** Returns the model of the page's address; answers 404 when there is none. */
export async function findModelDetails(ctx: Ctx, modelId: string): Promise<ModelDetails> {
  try {
    return await readModel(ctx, { id: parseId(modelId, 'The model') })
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
