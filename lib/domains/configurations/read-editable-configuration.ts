import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import type { ConfigurationForm } from '../../protocol/configuration-form'
import { readConfigurationForm as readForm } from '../rows/configuration-history'

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
