import { z } from 'zod'
import { deleteApprovalRule } from '@/lib/domains/approvals/delete-approval-rule'
import { setApprovalRuleEnabled } from '@/lib/domains/approvals/set-approval-rule-enabled'
import { AuditReason, WithReason } from '@/lib/domains/audit/audit-reason'
import { route } from '@/lib/kernel/http'
import { editApprovalRule } from '@/lib/toolset/save-approval-rule'
import { onlyMethods } from '../../only-methods'
import { configurationIdOf, RuleBody, readRule } from '../rule-body'

const show = route({ role: 'admin', scope: 'approval-rules:read' }, async ({ ctx, params }) =>
  Response.json({ rule: await readRule(ctx, params.rule ?? '') }),
)

const { name, toolName, toolGroup, configuration, conditions, notYet } = RuleBody.shape

/** Fields that are left out stay as they are. */
const Change = z.strictObject({
  name: name.optional(),
  toolName: toolName.unwrap().optional(),
  toolGroup: toolGroup.unwrap().optional(),
  configuration: configuration.unwrap().optional(),
  conditions: conditions.unwrap().optional(),
  enabled: z.boolean().optional(),
  notYet,
  reason: AuditReason,
})

const change = route(
  { role: 'admin', scope: 'approval-rules:write', body: Change },
  async ({ ctx, params, body }) => {
    const before = await readRule(ctx, params.rule ?? '')
    const { enabled, reason, configuration: named, notYet: confirmed, ...given } = body
    const { id } = before
    if (named !== undefined || Object.keys(given).length > 0) {
      const configurationId =
        named === undefined ? before.configurationId : await configurationIdOf(ctx, named)
      const rule = { ...before, ...given, configurationId, notYet: confirmed }
      await editApprovalRule(ctx, id, rule, { updatedAt: before.updatedAt, reason })
    }
    if (enabled !== undefined) await setApprovalRuleEnabled(ctx, { id, enabled, reason })
    return Response.json({ rule: await readRule(ctx, id) })
  },
)

const remove = route(
  { role: 'admin', scope: 'approval-rules:write', query: WithReason },
  async ({ ctx, params, query }) => {
    const { id } = await readRule(ctx, params.rule ?? '')
    await deleteApprovalRule(ctx, id, query)
    return new Response(null, { status: 204 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: show,
  PATCH: change,
  DELETE: remove,
})
