'use server'
import { z } from 'zod'
import { action, customAction } from '@/lib/kernel/action'
import { RunId } from '@/lib/runs/schemas'
import { cancelRun, chooseCostCap } from '@/lib/runs/verbs'

export const stopRun = customAction(z.object({ runId: RunId }), 'member', (ctx, { runId }) =>
  cancelRun(ctx, { runId, reason: 'A user stopped the run in the console.' }),
)

export const decideCostCap = action(chooseCostCap)
