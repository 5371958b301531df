import { type Ctx, requireRole } from '../../kernel/context'
import { ConflictError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { readConfigurationForm } from '../rows/configuration-history'
import { type ConfigurationUses, usesOf } from './read-configuration-uses'

/**
 * Removes a configuration with its history and the approval rules that were about it alone; past runs keep their
 * snapshot. ConflictError, which names the users, while runs are going with it, tasks begin with it or budgets count
 * it. Admins only.
 */
export async function deleteConfiguration(
  ctx: Ctx,
  configurationId: string,
  input: WithReason = {},
): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(configurationId, 'The configuration')
  const { reason } = parseInput(WithReason, input)
  await changePolicy(async (tx) => {
    // No run begins while this is held.
    const form = await readConfigurationForm(tx, id)
    const uses = await usesOf(tx, id)
    refuseUsed(form.name, uses)
    await tx.configuration.delete({ where: { id } })
    await recordAudit(tx, ctx, {
      action: 'configuration.delete',
      objectType: 'configuration',
      objectId: id,
      before: { ...form, approvalRules: uses.rules.map(({ name }) => name) },
      reason,
    })
  })
}

function refuseUsed(name: string, { tasks, budgets, going, runners }: ConfigurationUses): void {
  const users = [
    ...(going === 0 ? [] : [`${going} ${plural('run', going)} of ${runners.join(', ')}`]),
    ...tasks.map((task) => `the task ${task.name}`),
    ...budgets.map(({ window, unit }) => `a budget of ${unit.replace('_', '-')} a ${window}`),
  ]
  if (users.length === 0) return
  throw new ConflictError(
    `${name} is in use by ${users.join(', ')}. Wait for the runs to end, and change or delete the tasks and budgets first.`,
  )
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`
}
