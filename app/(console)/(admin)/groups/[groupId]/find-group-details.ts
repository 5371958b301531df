import { notFound } from 'next/navigation'
import type { Ctx } from '@/lib/context'
import { NotFoundError } from '@/lib/errors'
import { readGroup } from '@/lib/groups/read-group'
import type { GroupDetails } from '@/lib/groups/schemas'

/** The group an address names; an address that names none gets the "nothing here" page with status 404. */
export async function findGroupDetails(ctx: Ctx, groupId: string): Promise<GroupDetails> {
  try {
    return await readGroup(ctx, groupId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
}
