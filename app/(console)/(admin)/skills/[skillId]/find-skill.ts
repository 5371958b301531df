import { notFound } from 'next/navigation'
import { cache } from 'react'
import { requireAdmin } from '@/lib/auth/require-user'
import { readSkill } from '@/lib/domains/skills/reads'
import { NotFoundError } from '@/lib/kernel/errors'

/** For admins. Layout and page both ask; it is read once for a request. */
export const findSkill = cache(async (skillId: string) => {
  const ctx = await requireAdmin()
  try {
    return await readSkill(ctx, { id: skillId })
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
})
