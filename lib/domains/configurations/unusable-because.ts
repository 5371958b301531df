import type { Ctx } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { closedBecause } from './closed-because'
import { findConfiguration } from './find-configuration'

const unknown = 'It does not exist, or you may not use it.'

/**
 * Says why a configuration that somebody asked for by its id or identifier is not among those they may run with. Admins
 * are told which switch it is; whoever may not see it learns nothing of it.
 */
export async function unusableBecause(ctx: Ctx, idOrIdentifier: string): Promise<string> {
  if (ctx.actor.role !== 'admin') return unknown
  try {
    const { id } = await findConfiguration(ctx, idOrIdentifier)
    return (await closedBecause(db(), ctx.actor, id))?.reason ?? unknown
  } catch (error) {
    if (error instanceof NotFoundError) return unknown
    throw error
  }
}
