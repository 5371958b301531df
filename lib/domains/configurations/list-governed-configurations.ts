import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { type GovernedConfiguration, governedInclude, toGoverned } from './governed-configuration'

/** Every configuration by name, those that are switched off as well. Admins only. */
export async function listGovernedConfigurations(ctx: Ctx): Promise<GovernedConfiguration[]> {
  requireRole(ctx, 'admin')
  const rows = await db().configuration.findMany({
    include: governedInclude,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  return rows.map(toGoverned)
}
