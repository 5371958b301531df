import { z } from 'zod'
import type { Ctx } from '../context'
import { db } from '../db'
import { NotFoundError } from '../errors'
import { closedBecause } from './closed-because'

const unknown = 'It does not exist, or you may not use it.'

/**
 * Why a configuration that somebody asked for by its id is not among those they may run with, as a sentence. Admins are
 * told which switch it is; whoever may not see it learns nothing of it.
 */
export async function unusableBecause({ actor }: Ctx, configurationId: string): Promise<string> {
  if (actor.role !== 'admin' || !z.uuid().safeParse(configurationId).success) return unknown
  try {
    return (await closedBecause(db(), actor, configurationId))?.reason ?? unknown
  } catch (error) {
    if (error instanceof NotFoundError) return unknown
    throw error
  }
}
