import { listApprovalRules } from '@/lib/domains/approvals/list-approval-rules'
import { route } from '@/lib/kernel/http'
import { withMissing } from '@/lib/toolset/known-names'
import { addApprovalRule } from '@/lib/toolset/save-approval-rule'
import { onlyMethods } from '../only-methods'
import { configurationIdOf, RuleBody, readRule } from './rule-body'

const list = route({ role: 'admin', scope: 'approval-rules:read' }, async ({ ctx }) =>
  Response.json({ rules: await withMissing(await listApprovalRules(ctx)) }),
)

const add = route(
  { role: 'admin', scope: 'approval-rules:write', body: RuleBody },
  async ({ ctx, body: { configuration, ...facts } }) => {
    const configurationId = await configurationIdOf(ctx, configuration)
    const { id } = await addApprovalRule(ctx, { ...facts, configurationId })
    const headers = { location: `/api/v1/approval-rules/${id}` }
    return Response.json({ rule: await readRule(ctx, id) }, { status: 201, headers })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: add,
})
