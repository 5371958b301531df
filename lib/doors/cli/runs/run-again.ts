import { readFileOrInput } from '@/lib/doors/cli/input/read-input'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { FileDataClass } from '@/lib/protocol/files/given-files'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { overridesOf, type RunOverrides } from '@/lib/protocol/run/run-overrides'
import { readRun } from '@/lib/runs/read-run'
import type { RunRequest, StartRunInput } from '@/lib/runs/schemas'
import { findRunModelId } from '@/lib/runs/start/changeable'
import type { ChangeOptions } from './run-options'

const mostPromptBytes = 400_000

/** Returns the changes that the options ask for. */
export async function changesOf(ctx: Ctx, options: ChangeOptions): Promise<RunOverrides> {
  const { model, systemPromptFile, temperature, effort, maxOutputTokens } = options
  return {
    ...(model !== undefined && { model: await findRunModelId(ctx, model) }),
    ...(systemPromptFile !== undefined && {
      systemPrompt: (await readFileOrInput(systemPromptFile, mostPromptBytes)).toString('utf8'),
    }),
    ...(temperature !== undefined && { temperature }),
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
}

/**
 * Returns the input of a run again, with the changes that it had. Its task is run with the same values; when the task is gone, the
 * prompt that was made of it.
 */
export async function inputOf(
  ctx: Ctx,
  runId: string,
): Promise<StartRunInput & { configuration: string; overrides: RunOverrides | null }> {
  const record = await readRun(ctx, runId)
  const { start } = foldRun(record.events)
  if (!start || record.configurationId === null) {
    throw new NotFoundError('The configuration of this run')
  }
  const { snapshot, files = [], overridden, continues = null } = start
  const own = snapshot.costCaps.find(({ scope }) => scope === 'run')
  return {
    configuration: record.configurationId,
    ...sourceOf(record, start.prompt),
    tools: record.tools,
    continues,
    maxRounds: snapshot.maxRounds,
    costCap: own ? { mode: own.mode, limitMicroUsd: own.limitMicroUsd } : null,
    outputSchema: snapshot.options?.outputSchema ?? null,
    files: files.map(({ id, dataClass }) => {
      const known = FileDataClass.safeParse(dataClass).data
      return { id, ...(known && { dataClass: known }) }
    }),
    overrides: overridesOf(snapshot, overridden),
    changedFrom: runId,
  }
}

function sourceOf(
  { taskId, variables }: { taskId: string | null } & Pick<RunRequest, 'variables'>,
  prompt: string,
): Pick<StartRunInput, 'prompt' | 'task' | 'variables'> {
  return taskId === null ? { prompt } : { task: taskId, variables }
}
