import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { NotFoundError } from '../errors'
import { parseId } from '../parse-id'
import { type GovernedConfiguration, governedInclude, toGoverned } from './governed-configuration'

/** One configuration, switched off or not. NotFoundError when there is none. Admins only. */
export async function readGovernedConfiguration(
  ctx: Ctx,
  configurationId: string,
): Promise<GovernedConfiguration> {
  requireRole(ctx, 'admin')
  const row = await db().configuration.findUnique({
    where: { id: parseId(configurationId, 'The configuration') },
    include: governedInclude,
  })
  if (!row) throw new NotFoundError('The configuration')
  return toGoverned(row)
}
