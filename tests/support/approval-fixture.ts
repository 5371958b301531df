import { type RunDeps, runStart } from '@/lib/engines/runtime/deps'
import { nextStep } from '@/lib/engines/runtime/next-step'
import { advance } from '@/lib/engines/runtime/run-agent'
import type { ApprovalDecision, ApprovalRule } from '@/lib/protocol/approval'
import { applyRunEvent, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { anyRule } from './any-rule'
import { runFixture, runInput, testTool } from './run-fixture'
import type { ScriptStep } from './scripted-model'

export const rule: ApprovalRule = { ...anyRule, name: 'Writes', toolName: 'save' }

export const yes = {
  type: 'approved',
  by: 'ada@example.org',
  userId: 'u-admin',
  message: '',
} as const
export const no = { type: 'denied', by: 'ada@example.org', message: 'Not on a Friday' } as const

/** Returns a person who decides the same about every call. */
export const everybody =
  (decide: (call: CallView) => ApprovalDecision): RunDeps['readDecisions'] =>
  async (waiting) =>
    waiting.flatMap((call) =>
      call.approval ? [{ approvalId: call.approval.approvalId, decision: decide(call) }] : [],
    )

/** Returns a run whose writing tool `save` needs an approval. `saved` has the arguments it was called with. */
export function approvalFixture(
  script: ScriptStep[],
  deps: Partial<RunDeps> = {},
  tool: Partial<ExecutableTool> = {},
) {
  const saved: unknown[] = []
  const save = testTool('save', {
    effect: 'write',
    execute: async (args) => {
      saved.push(args)
      return { content: 'saved' }
    },
    ...tool,
  })
  const subject = { approvalRules: [rule] }
  const run = runFixture({ script, tools: [save, testTool('look')], subject, deps })
  return { ...run, saved }
}

/** Takes a run to the point where it waits for the first time. */
export async function untilItWaits(run: ReturnType<typeof approvalFixture>): Promise<RunState> {
  const offer = { accepted: [], rejected: [] }
  const start = run.journal.append(runStart(runInput(), offer, run.deps.newId))
  let state = applyRunEvent(initialRunState, start)
  while (nextStep(state).type !== 'wait') state = await advance(state, run.deps)
  return state
}

/** Returns the last request that the model got. */
export const lastRequest = (run: ReturnType<typeof approvalFixture>) =>
  JSON.stringify(run.model.calls.at(-1)?.request.messages)
