import { readConfigurationForm as readForm } from '../configuration-history'
import { type Ctx, requireRole } from '../context'
import { withTransaction } from '../db'
import { NotFoundError } from '../errors'
import { parseId } from '../parse-id'
import type { ConfigurationForm } from '../protocol/configuration-form'

/** A configuration as a form edits it, with the version that a change has to name. */
export type EditableConfiguration = { id: string; version: number; form: ConfigurationForm }

/** NotFoundError when there is none. Admins only. */
export async function readEditableConfiguration(
  ctx: Ctx,
  configurationId: string,
): Promise<EditableConfiguration> {
  requireRole(ctx, 'admin')
  const id = parseId(configurationId, 'The configuration')
  return withTransaction(async (tx) => {
    const row = await tx.configuration.findUnique({ where: { id }, select: { version: true } })
    if (!row) throw new NotFoundError('The configuration')
    return { id, version: row.version, form: await readForm(tx, id) }
  })
}
