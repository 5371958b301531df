import { notFound } from 'next/navigation'
import { readGroup } from '@/lib/domains/groups/reads'
import type { GroupDetails } from '@/lib/domains/groups/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'

/** Returns the group of the page's address; answers 404 when there is none. */
export async function findGroupDetails(ctx: Ctx, groupId: string): Promise<GroupDetails> {
  try {
    return await readGroup(ctx, groupId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
