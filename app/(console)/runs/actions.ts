'use server'
import { z } from 'zod'
import { customAction } from '@/lib/kernel/action'
import { cancelRun } from '@/lib/runs/cancel-run'
import { ChooseCostCap, chooseCostCap } from '@/lib/runs/choose-cost-cap'
import { RunId } from '@/lib/runs/schemas'

export const stopRun = customAction(z.object({ runId: RunId }), 'member', (ctx, { runId }) =>
  cancelRun(ctx, runId, 'A user stopped the run in the console.'),
)

export const decideCostCap = customAction(ChooseCostCap, 'member', chooseCostCap)
