import { type Ctx, requireRole } from '../../kernel/context'
import { NotFoundError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'

/**
 * Opens a configuration to the members of a group, or (`allowed` false) closes it to them; their runs with it
 * end (SPEC G-R). False when nothing changed. NotFoundError when there is no such configuration or group. Admins only.
 */
export async function allowGroup(
  ctx: Ctx,
  configurationId: string,
  groupId: string,
  allowed: boolean,
  input: WithReason = {},
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const { reason } = parseInput(WithReason, input)
  const key = {
    configurationId: parseId(configurationId, 'The configuration'),
    groupId: parseId(groupId, 'The group'),
  }
  return changePolicy(async (tx) => {
    const configuration = await tx.configuration.findUnique({ where: { id: key.configurationId } })
    if (!configuration) throw new NotFoundError('The configuration')
    const group = await tx.group.findUnique({ where: { id: key.groupId } })
    if (!group) throw new NotFoundError('The group')
    const change = { configurationId: key.configurationId, note: reason }
    const { changed } = await changeConfiguration(tx, ctx, change, () =>
      allowed
        ? tx.configurationGroup.createMany({ data: [key], skipDuplicates: true })
        : tx.configurationGroup.deleteMany({ where: key }),
    )
    if (!changed) return false
    const facts = {
      configuration: configuration.identifier,
      groupId: key.groupId,
      group: group.name,
    }
    await recordAudit(tx, ctx, {
      action: allowed ? 'configuration.allow-group' : 'configuration.disallow-group',
      objectType: 'configuration',
      objectId: key.configurationId,
      ...(allowed ? { after: facts } : { before: facts }),
      reason,
    })
    return true
  })
}
