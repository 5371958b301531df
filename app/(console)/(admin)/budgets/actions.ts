'use server'
import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { createBudget } from '@/lib/domains/budgets/create-budget'
import { deleteBudget } from '@/lib/domains/budgets/delete-budget'
import { SeeAlerts, seeAlerts } from '@/lib/domains/budgets/list-alerts'
import { CreateBudget, SetBudgetEnabled, UpdateBudget } from '@/lib/domains/budgets/schemas'
import { setBudgetEnabled } from '@/lib/domains/budgets/set-budget-enabled'
import { updateBudget } from '@/lib/domains/budgets/update-budget'
import { action } from '@/lib/kernel/action'

const BudgetId = z.object({ id: z.uuid() })

export const addBudget = action(CreateBudget, 'admin', createBudget)

export const changeBudget = action(
  BudgetId.extend(UpdateBudget.shape),
  'admin',
  (ctx, { id, ...facts }) => updateBudget(ctx, id, facts),
)

export const switchBudget = action(SetBudgetEnabled, 'admin', setBudgetEnabled)

export const removeBudget = action(
  BudgetId.extend(WithReason.shape),
  'admin',
  (ctx, { id, reason }) => deleteBudget(ctx, id, { reason }),
)

export const markAlertsSeen = action(SeeAlerts, 'admin', seeAlerts)
