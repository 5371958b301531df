import { z } from 'zod'
import { findBudget, listBudgets } from '../../domains/budgets/reads'
import { BudgetListing } from '../../domains/budgets/schemas'
import { createBudget, deleteBudget, updateBudget } from '../../domains/budgets/verbs'
import { readUsageReport } from '../../domains/usage/reads'
import { created, serve } from './endpoint'

const One = z.object({ budget: BudgetListing })

export const budgetEndpoints = [
  serve('GET', '/budgets', listBudgets, {
    answers: {
      200: z.object({ budgets: z.array(BudgetListing), total: z.number(), whole: z.number() }),
    },
    answer: ({ output: { budgets, whole } }) =>
      Response.json({ budgets, total: budgets.length, whole }),
  }),
  serve('POST', '/budgets', createBudget, {
    answers: { 201: One },
    answer: async ({ ctx, output: { id } }) =>
      created(`/budgets/${id}`, { budget: await findBudget(ctx, { id }) }),
  }),
  serve('GET', '/budgets/{id}', findBudget, {
    answers: { 200: One },
    answer: ({ output }) => Response.json({ budget: output }),
  }),
  serve('PATCH', '/budgets/{id}', updateBudget, {
    answers: { 200: One },
    answer: async ({ ctx, params: { id = '' } }) =>
      Response.json({ budget: await findBudget(ctx, { id }) }),
  }),
  serve('DELETE', '/budgets/{id}', deleteBudget),
]

export const usageEndpoints = [serve('GET', '/usage', readUsageReport)]
