import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { type ConfigurationVersionView, toVersionView } from './list-configuration-versions'

/** One version of a configuration. NotFoundError when there is none of that number. Admins only. */
export async function readConfigurationVersion(
  ctx: Ctx,
  configurationId: string,
  version: number,
): Promise<ConfigurationVersionView> {
  requireRole(ctx, 'admin')
  const key = { configurationId: parseId(configurationId, 'The configuration'), version }
  const row = await db().configurationVersion.findUnique({
    where: { configurationId_version: key },
  })
  if (!row) throw new NotFoundError(`Version ${version}`)
  return toVersionView(row)
}
