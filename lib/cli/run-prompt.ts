import { startEngine } from '@/lib/runs/engine'
import { startRun } from '@/lib/runs/start-run'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import type { CostCapOption } from './cost-cap-option'
import { followRun } from './follow-run'
import { printJson } from './print'
import { readStandardInput } from './read-standard-input'
import { createTracePrinter } from './trace-printer'

/** `tools`: undefined or true = all that are allowed, false = none. */
export type RunOptions = CommonOptions & {
  configuration: string
  prompt: string
  tools?: string[] | boolean
  maxRounds?: number
  costCap?: CostCapOption
}

const maxPromptBytes = 1024 * 1024

/** Works one prompt to its end in this process and gives the exit code that tells the reason. */
export async function runPrompt(options: RunOptions): Promise<number> {
  const ctx = await actingCtx(options.as)
  const prompt = options.prompt === '-' ? await readStandardInput(maxPromptBytes) : options.prompt
  const engine = await startEngine('cli')
  try {
    const { runId } = await startRun(ctx, {
      configuration: options.configuration,
      prompt,
      tools: pickedTools(options.tools),
      maxRounds: options.maxRounds ?? null,
      costCap: options.costCap ?? null,
      idempotencyKey: null,
    })
    return await followRun(ctx, runId, options.json ? printJson : createTracePrinter())
  } finally {
    await engine.drain()
  }
}

function pickedTools(tools: RunOptions['tools']): string[] | null {
  if (Array.isArray(tools)) return tools
  return tools === false ? [] : null
}
