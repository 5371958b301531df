import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
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
