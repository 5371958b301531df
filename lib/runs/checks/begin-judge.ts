import 'server-only'
import { type CheckRow, definitionOf, requireCheck } from '@/lib/domains/checks/reads'
import { newFence } from '@/lib/engines/runtime/deps'
import type { CheckResult } from '@/lib/generated/prisma/client'
import { unaudited } from '@/lib/kernel/db'
import { newId } from '@/lib/kernel/new-id'
import {
  answeringModels,
  judgePrompt,
  judgeSchema,
  sameModelWords,
  unjudgeable,
} from '@/lib/protocol/check/ask-judge'
import { sharedModel } from '@/lib/protocol/model/same-model'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { StartRunInput } from '@/lib/runs/schemas'
import type { PlanInput } from '@/lib/runs/start/run-draft'
import { type BegunRun, beginRun, lockCheckRun, storeUnderPolicy } from './begin-run'
import type { JudgeAssertion } from './judge-try'

type Judged = Pick<CheckResult, 'id' | 'checkRunId' | 'checkId'> & { runId: string }
type Ask = { place: number; judge: JudgeAssertion }

/**
 * Stores the run of a judge, or why it has none, once for each try and judge, whichever processes call this at the same moment.
 * `nothing`: another one did, or the try has a verdict.
 */
export async function beginJudge(
  engine: Engine,
  { id: resultId, checkRunId, checkId, runId }: Judged,
  { place, judge }: Ask,
  state: RunState,
): Promise<'begun' | 'refused' | 'nothing'> {
  const step = await storeUnderPolicy(engine, checkRunId, async (tx) => {
    const row = await lockCheckRun(tx, checkRunId)
    const where = { id: resultId, verdict: null, judges: { none: { place } } }
    if (!row || (await tx.checkResult.count({ where })) === 0) return { type: 'nothing' as const }
    const obstacle = unjudgeable(state)
    const begun: BegunRun =
      obstacle === null
        ? await beginRun(engine, tx, row, async (ctx) => {
            const check = await requireCheck(tx, ctx, checkId)
            const input = judgeInput(judge, { check, runId, state })
            const refuse = ({ snapshot }: { snapshot: { targets: Targets } }) =>
              sameModelWords(judge, sharedModel(snapshot.targets, answeringModels(state)))
            return { ctx: { ...ctx, starters: check.starters }, input, refuse }
          })
        : { type: 'refused', reason: obstacle }
    const told = begun.type === 'begun' ? { runId: begun.runId } : { reason: begun.reason }
    await unaudited(tx, 'the run of the judge and its journal say it').checkJudge.create({
      data: { id: newId(), resultId, place, ...told },
    })
    return begun
  })
  if (step?.type === 'begun' && step.run) engine.work.start(step.run)
  return step?.type ?? 'nothing'
}

type Targets = Parameters<typeof sharedModel>[0]

/** Returns what the run of a judge begins with: no tools, one round, and the cost cap of the check. */
export function judgeInput(
  judge: JudgeAssertion,
  { check, runId, state }: { check: CheckRow; runId: string; state: RunState },
): PlanInput {
  const { costCap } = definitionOf(check)
  const fence = newFence(newId)
  const run = StartRunInput.parse({
    configuration: judge.configuration,
    prompt: judgePrompt(judge, state, fence),
    tools: [],
    maxRounds: 1,
    // “Off” would lift a cap of the configuration that judges.
    costCap: costCap?.mode === 'off' ? null : costCap,
    outputSchema: judgeSchema(judge),
  })
  const facts = { checkId: check.id, name: check.name, runId }
  return { ...run, judge: { facts, fence, judged: { state, nativeOf: () => null } } }
}
