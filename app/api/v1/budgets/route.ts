import { z } from 'zod'
import { createBudget } from '@/lib/domains/budgets/create-budget'
import { findBudget } from '@/lib/domains/budgets/find-budget'
import { listBudgets } from '@/lib/domains/budgets/list-budgets'
import { BudgetFilter, CreateBudget } from '@/lib/domains/budgets/schemas'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../only-methods'

const list = route(
  { role: 'admin', scope: 'budgets:read', query: BudgetFilter.omit({ page: true }) },
  async ({ ctx, query }) => {
    const { budgets, whole } = await listBudgets(ctx, query)
    return Response.json({ budgets, total: budgets.length, whole })
  },
)

/** Strict: a misspelt field is an error, not its usual value. */
const NewBudget = z.strictObject(CreateBudget.shape)

const create = route(
  { role: 'admin', scope: 'budgets:write', body: NewBudget },
  async ({ ctx, body }) => {
    const { id } = await createBudget(ctx, body)
    const headers = { location: `/api/v1/budgets/${id}` }
    return Response.json({ budget: await findBudget(ctx, id) }, { status: 201, headers })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: create,
})
