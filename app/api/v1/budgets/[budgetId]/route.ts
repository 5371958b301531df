import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { deleteBudget } from '@/lib/domains/budgets/delete-budget'
import { findBudget } from '@/lib/domains/budgets/find-budget'
import { UpdateBudget } from '@/lib/domains/budgets/schemas'
import { setBudgetEnabled } from '@/lib/domains/budgets/set-budget-enabled'
import { updateBudget } from '@/lib/domains/budgets/update-budget'
import { route } from '@/lib/kernel/http'
import { parseId } from '@/lib/kernel/parse-id'
import { onlyMethods } from '../../only-methods'

const show = route({ role: 'admin', scope: 'budgets:read' }, async ({ ctx, params }) =>
  Response.json({ budget: await findBudget(ctx, parseId(params.budgetId, 'This budget')) }),
)

/** Fields that are left out stay as they are. */
const Change = z.strictObject({
  amount: UpdateBudget.shape.amount.optional(),
  unpriced: UpdateBudget.shape.unpriced.optional(),
  enabled: z.boolean().optional(),
  reason: UpdateBudget.shape.reason,
})

const change = route(
  { role: 'admin', scope: 'budgets:write', body: Change },
  async ({ ctx, params, body }) => {
    const id = parseId(params.budgetId, 'This budget')
    const { enabled, reason, ...facts } = body
    const before = await findBudget(ctx, id)
    const { amount, unpriced } = { ...before, ...facts }
    await updateBudget(ctx, id, { amount, unpriced, reason })
    if (enabled !== undefined) await setBudgetEnabled(ctx, { id, enabled, reason })
    return Response.json({ budget: await findBudget(ctx, id) })
  },
)

const remove = route(
  { role: 'admin', scope: 'budgets:write', query: WithReason },
  async ({ ctx, params, query }) => {
    await deleteBudget(ctx, parseId(params.budgetId, 'This budget'), query)
    return new Response(null, { status: 204 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: show,
  PATCH: change,
  DELETE: remove,
})
