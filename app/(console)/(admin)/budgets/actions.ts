'use server'
import { z } from 'zod'
import { action } from '@/lib/action'
import { WithReason } from '@/lib/audit/audit-reason'
import { createBudget } from '@/lib/budgets/create-budget'
import { deleteBudget } from '@/lib/budgets/delete-budget'
import { SeeAlerts, seeAlerts } from '@/lib/budgets/list-alerts'
import { CreateBudget, SetBudgetEnabled, UpdateBudget } from '@/lib/budgets/schemas'
import { setBudgetEnabled } from '@/lib/budgets/set-budget-enabled'
import { updateBudget } from '@/lib/budgets/update-budget'

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
