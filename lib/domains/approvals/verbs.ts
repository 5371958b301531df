import { z } from 'zod'
import type { ApprovalRule } from '../../generated/prisma/client'
import { isUniqueViolation, type Tx } from '../../kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { changePolicy } from '../../kernel/policy-lock'
import { changed, unchanged, verb } from '../../kernel/verb'
import { ApprovalRuleInput, UpdateApprovalRule } from './schemas'

const common = { role: 'admin', scope: 'approval-rules:write', transaction: changePolicy } as const

/**
 * Adds a rule. Once it resolves, no call that matches the rule starts without what it asks for (SPEC G-A, G-D, G-F). Throws
 * ConflictError when the name is taken.
 */
export const createApprovalRule = verb({
  ...common,
  name: 'approval-rule.create',
  summary: 'Adds a rule that says which calls are refused, need approval or are noted.',
  input: ApprovalRuleInput,
  output: z.object({ id: z.string() }),
  run: async ({ tx, actor }, { notYet, ...facts }) => {
    await refuseTooManyRules(tx)
    await requireConfiguration(tx, facts.configurationId)
    const data = { ...facts, createdByLabel: actor.email }
    const { id } = await tx.approvalRule.create({ data }).catch(explainTaken)
    return changed({ id }, { subject: id, after: { ...audited(facts), ...(notYet && { notYet }) } })
  },
})

/**
 * Replaces a rule from the next call on; calls that wait go on waiting. Throws NotFoundError when it is gone,
 * ConflictError when the name is taken or somebody else changed it since `updatedAt`.
 */
export const updateApprovalRule = verb({
  ...common,
  name: 'approval-rule.update',
  summary: 'Changes a rule from the next call on. Calls that wait go on waiting.',
  reason: 'optional',
  input: UpdateApprovalRule,
  run: async ({ tx }, { id, updatedAt, notYet, ...facts }) => {
    const before = await find(tx, id)
    // Compared under the lock. Saving over another person's change could switch the rule off again.
    if (updatedAt !== undefined && updatedAt !== before.updatedAt.toISOString())
      throw changedSince()
    await requireConfiguration(tx, facts.configurationId)
    const where = { id: before.id }
    const after = await tx.approvalRule.update({ where, data: facts }).catch(explainTaken)
    return changed(undefined, {
      subject: before.id,
      before: audited(before),
      after: { ...audited(after), ...(notYet && { notYet }) },
    })
  },
})

/** Throws NotFoundError when it is gone. The same answer again changes nothing. */
export const setApprovalRuleEnabled = verb({
  ...common,
  name: 'approval-rule.switch',
  summary: 'Switches a rule on or off.',
  reason: 'optional',
  input: z.object({ id: z.uuid(), enabled: z.boolean() }),
  audits: ['approval-rule.switch-on', 'approval-rule.switch-off'],
  run: async ({ tx }, { id, enabled }) => {
    const before = await find(tx, id)
    if (before.enabled === enabled) return unchanged(undefined)
    const after = await tx.approvalRule.update({ where: { id: before.id }, data: { enabled } })
    const action = enabled ? 'approval-rule.switch-on' : 'approval-rule.switch-off'
    const sides = { before: audited(before), after: audited(after) }
    return changed(undefined, { subject: before.id, action, ...sides })
  },
})

/** Throws NotFoundError when it is gone. Calls that wait because of it still do. */
export const deleteApprovalRule = verb({
  ...common,
  name: 'approval-rule.delete',
  summary: 'Deletes a rule. Calls that wait because of it still do.',
  reason: 'optional',
  input: z.object({ id: z.string() }),
  run: async ({ tx }, { id }) => {
    const before = await find(tx, id)
    await tx.approvalRule.delete({ where: { id: before.id } })
    return changed(undefined, { subject: before.id, before: audited(before), after: null })
  },
})

async function find(tx: Tx, id: string): Promise<ApprovalRule> {
  const rule = await tx.approvalRule.findUnique({ where: { id: parseId(id, 'This rule') } })
  if (!rule) throw new NotFoundError('This rule')
  return rule
}

function explainTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw new ConflictError('Another rule has this name.', 'name')
  throw error
}

function changedSince(): ConflictError {
  return new ConflictError(
    'Somebody changed this rule after you opened it, so nothing was saved. Load it again and repeat your change.',
  )
}

type Facts = Omit<z.output<typeof ApprovalRuleInput>, 'notYet'>

/** More rules than this would make every call slow. */
const maxRules = 500

/** Returns the audited fields of a rule. */
function audited(rule: ApprovalRule | Facts) {
  const { name, enabled, toolName, toolGroup, configurationId, action, conditions } = rule
  return { name, enabled, toolName, toolGroup, configurationId, action, conditions }
}

async function requireConfiguration(tx: Tx, configurationId: string | null): Promise<void> {
  if (configurationId === null) return
  const count = await tx.configuration.count({ where: { id: configurationId } })
  if (count > 0) return
  throw new ValidationError({
    configurationId: 'This configuration no longer exists. Pick another.',
  })
}

async function refuseTooManyRules(tx: Tx): Promise<void> {
  if ((await tx.approvalRule.count()) < maxRules) return
  throw new ConflictError(`There are already ${maxRules} rules, the maximum. Delete one first.`)
}
