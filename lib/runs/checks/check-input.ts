import { type CheckRow, definitionOf } from '@/lib/domains/checks/reads'
import { AppError } from '@/lib/kernel/errors'
import type { CheckMode } from '@/lib/protocol/check/check'
import { StartRunInput } from '@/lib/runs/schemas'
import type { CheckDraft, PlanInput } from '@/lib/runs/start/run-draft'

/** Thrown for a check that cannot run. */
export class UnrunnableError extends AppError {
  constructor(message: string) {
    super('unrunnable-check', 409, message)
  }
}

/** Returns what a run of a check begins with. Throws UnrunnableError for a check whose task is gone. */
export function inputOf(
  check: CheckRow,
  { configurationId, mode }: { configurationId: string; mode: CheckMode },
): PlanInput {
  if (check.hadTask && check.taskId === null)
    throw new UnrunnableError('The task of this check was deleted. Save another run as a check.')
  const { prompt, files, tools, maxRounds, overrides, outputSchema, costCap, ...recorded } =
    definitionOf(check)
  const run = StartRunInput.parse({
    configuration: configurationId,
    prompt,
    files: files.map(({ id, dataClass }) => ({ id, dataClass })),
    tools,
    maxRounds,
    overrides,
    outputSchema,
    costCap,
  })
  const facts: CheckDraft['facts'] = {
    checkId: check.id,
    name: check.name,
    mode,
    sources: recorded.sources,
  }
  const copied = {
    // A check that came with a file has no run. Its id names where the results are from.
    runId: check.runId ?? check.id,
    round: 0,
    events: [],
    edits: [],
    recordings: recorded.recordings,
  }
  const draft = { facts, copied, editors: check.editors, task: check.taskId }
  return { ...run, check: draft }
}
