import { notFound } from 'next/navigation'
import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'
import { readModel } from '@/lib/models/read-model'
import type { ModelDetails } from '@/lib/models/schemas'

/** The model of a page's address; answers 404 when there is none. */
export async function findModelDetails(ctx: Ctx, modelId: string): Promise<ModelDetails> {
  try {
    return await readModel(ctx, modelId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
