import { notFound } from 'next/navigation'
import { cache } from 'react'
import { requireAdmin } from '@/lib/auth/require-user'
import { readGovernedConfiguration } from '@/lib/domains/configurations/reads'
import { NotFoundError } from '@/lib/kernel/errors'

/** For admins. Layout and pages ask; it is read once for a request. */
export const findConfiguration = cache(async (configurationId: string) => {
  const ctx = await requireAdmin()
  try {
    return await readGovernedConfiguration(ctx, configurationId)
  } catch (error) {
    if (error instanceof NotFoundError) notFound()
    throw error
  }
})
