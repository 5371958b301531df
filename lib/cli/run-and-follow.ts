import type { JsonObject } from '@/lib/protocol/configuration-options'
import { startEngine } from '@/lib/runs/engine'
import type { StartRunInput } from '@/lib/runs/schemas'
import { startRun } from '@/lib/runs/start-run'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import type { CostCapOption } from './cost-cap-option'
import { followRun } from './follow-run'
import { printJson } from './print'
import { createTracePrinter } from './trace-printer'

/** `tools`: undefined or true = all that are allowed, false = none. */
export type LimitOptions = CommonOptions & {
  tools?: string[] | boolean
  maxRounds?: number
  costCap?: CostCapOption
  outputSchema?: JsonObject
}

type Asked = Pick<StartRunInput, 'configuration' | 'prompt' | 'task' | 'variables'>

/** Works one run to its end in this process and gives the exit code that tells the reason. */
export async function runAndFollow(asked: Asked, options: LimitOptions): Promise<number> {
  const ctx = await actingCtx(options.as)
  const engine = await startEngine('cli')
  try {
    const { runId } = await startRun(ctx, {
      ...asked,
      tools: pickedTools(options.tools),
      maxRounds: options.maxRounds ?? null,
      costCap: options.costCap ?? null,
      outputSchema: options.outputSchema ?? null,
      idempotencyKey: null,
    })
    return await followRun(ctx, runId, options.json ? printJson : createTracePrinter())
  } finally {
    await engine.drain()
  }
}

function pickedTools(tools: LimitOptions['tools']): string[] | null {
  if (Array.isArray(tools)) return tools
  return tools === false ? [] : null
}
