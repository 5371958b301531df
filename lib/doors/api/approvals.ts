import { z } from 'zod'
import { findApprovalRule, listApprovalRules } from '../../domains/approvals/reads'
import { ApprovalRuleInput, type ApprovalRuleListing } from '../../domains/approvals/schemas'
import { deleteApprovalRule, setApprovalRuleEnabled } from '../../domains/approvals/verbs'
import { AuditReason, WithReason } from '../../domains/audit/audit-reason'
import { findConfiguration } from '../../domains/configurations/reads'
import type { Ctx } from '../../kernel/context'
import { decideApproval } from '../../runs/decide-approval'
import { listApprovals } from '../../runs/list-approvals'
import { MarkedRule, withMissing } from '../../toolset/known-names'
import { addApprovalRule, editApprovalRule } from '../../toolset/save-approval-rule'
import { created, endpoint, factsOf, serve } from './endpoint'

export const approvalEndpoints = [
  serve('GET', '/approvals', listApprovals),
  serve('POST', '/approvals/{approvalId}', decideApproval),
]

const { configurationId: _byName, ...shape } = ApprovalRuleInput.shape

/** `configuration` is an identifier or id; null = any. Strict: a misspelt field is an error and not left out. */
const RuleBody = z.strictObject({
  ...shape,
  configuration: z.string().min(1).max(100).nullable().default(null),
})

/** Returns the id of a configuration by its name. Throws NotFoundError with the nearest name when there is none. */
async function configurationIdOf(ctx: Ctx, name: string | null): Promise<string | null> {
  return name === null ? null : (await findConfiguration(ctx, name)).id
}

/** Returns a rule by id or name, with the names in it that do not exist. */
async function readRule(ctx: Ctx, idOrName: string): Promise<MarkedRule> {
  return marked(await findApprovalRule(ctx, { rule: idOrName }))
}

async function marked(rule: ApprovalRuleListing): Promise<MarkedRule> {
  const [withWords] = await withMissing([rule])
  if (!withWords) throw new Error('A rule that was found is not listed.')
  return withWords
}

const One = z.object({ rule: MarkedRule })

const { name, toolName, toolGroup, configuration, action, conditions, notYet } = RuleBody.shape

/** Fields that are left out stay as they are. */
const Change = z.strictObject({
  name: name.optional(),
  toolName: toolName.unwrap().optional(),
  toolGroup: toolGroup.unwrap().optional(),
  configuration: configuration.unwrap().optional(),
  action: action.unwrap().optional(),
  conditions: conditions.unwrap().optional(),
  enabled: z.boolean().optional(),
  notYet,
  reason: AuditReason,
})

export const approvalRuleEndpoints = [
  serve('GET', '/approval-rules', listApprovalRules, {
    answers: { 200: z.object({ rules: z.array(MarkedRule) }) },
    answer: async ({ output }) => Response.json({ rules: await withMissing(output) }),
  }),
  endpoint(
    'POST',
    '/approval-rules',
    { ...factsOf(addApprovalRule), body: RuleBody, answers: { 201: One } },
    async ({ ctx, body: { configuration, ...facts } }) => {
      const configurationId = await configurationIdOf(ctx, configuration)
      const { id } = await addApprovalRule(ctx, { ...facts, configurationId })
      return created(`/approval-rules/${id}`, { rule: await readRule(ctx, id) })
    },
  ),
  serve('GET', '/approval-rules/{rule}', findApprovalRule, {
    answers: { 200: One },
    answer: async ({ output }) => Response.json({ rule: await marked(output) }),
  }),
  endpoint(
    'PATCH',
    '/approval-rules/{rule}',
    {
      ...factsOf(editApprovalRule),
      body: Change,
      summary: 'Changes a rule or switches it; fields that are left out stay.',
      answers: { 200: One },
    },
    async ({ ctx, params, body }) => {
      const before = await readRule(ctx, params.rule ?? '')
      const { enabled, reason, configuration: named, notYet: confirmed, ...given } = body
      const { id } = before
      if (named !== undefined || Object.keys(given).length > 0) {
        const configurationId =
          named === undefined ? before.configurationId : await configurationIdOf(ctx, named)
        const rule = { ...before, ...given, configurationId, notYet: confirmed }
        await editApprovalRule(ctx, { ...rule, reason })
      }
      if (enabled !== undefined) await setApprovalRuleEnabled(ctx, { id, enabled, reason })
      return Response.json({ rule: await readRule(ctx, id) })
    },
  ),
  endpoint(
    'DELETE',
    '/approval-rules/{rule}',
    { ...factsOf(deleteApprovalRule), query: WithReason, answers: { 204: null } },
    async ({ ctx, params, query }) => {
      const { id } = await readRule(ctx, params.rule ?? '')
      await deleteApprovalRule(ctx, { id, ...query })
      return new Response(null, { status: 204 })
    },
  ),
]
