import { basename } from 'node:path'
import type { Ctx } from '@/lib/context'
import { uploadFile } from '@/lib/files/upload-file'
import type { JsonObject } from '@/lib/protocol/configuration-options'
import { type FileDataClass, maxFileBytes } from '@/lib/protocol/run-file'
import { startEngine } from '@/lib/runs/engine'
import type { StartRunInput } from '@/lib/runs/schemas'
import { startRun } from '@/lib/runs/start-run'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import type { CostCapOption } from './cost-cap-option'
import { followRun } from './follow-run'
import { printJson } from './print'
import { readFileOrInput } from './read-file-or-input'
import { createTracePrinter } from './trace-printer'

/** `tools`: undefined or true = all that are allowed, false = none. */
export type LimitOptions = CommonOptions & {
  tools?: string[] | boolean
  maxRounds?: number
  costCap?: CostCapOption
  outputSchema?: JsonObject
}

type Asked = Pick<StartRunInput, 'configuration' | 'prompt' | 'task' | 'variables'>

/** Files to send with the prompt; `dataClass` null = the highest that the configuration allows. */
type Attached = { paths: readonly string[]; dataClass: FileDataClass | null }

/** Works one run to its end in this process and gives the exit code that tells the reason. */
export async function runAndFollow(
  asked: Asked,
  options: LimitOptions,
  attached: Attached = { paths: [], dataClass: null },
): Promise<number> {
  const ctx = await actingCtx(options.as)
  const engine = await startEngine('cli')
  try {
    const files = await uploadAll(ctx, attached)
    const { runId } = await startRun(ctx, {
      ...asked,
      files,
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

/** Each file is read whole before the next one; none is larger than 20 MiB. */
async function uploadAll(ctx: Ctx, { paths, dataClass }: Attached): Promise<{ id: string }[]> {
  const files: { id: string }[] = []
  for (const path of paths) {
    const content = await readFileOrInput(path, maxFileBytes)
    const { id } = await uploadFile(ctx, { name: basename(path), content, dataClass })
    files.push({ id })
  }
  return files
}

function pickedTools(tools: LimitOptions['tools']): string[] | null {
  if (Array.isArray(tools)) return tools
  return tools === false ? [] : null
}
