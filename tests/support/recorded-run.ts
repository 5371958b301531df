import type { Journal, RunDeps } from '@/lib/engines/runtime/deps'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { differencesOf } from '@/lib/engines/runtime/replay/differences'
import { replayRun } from '@/lib/engines/runtime/replay/replay-run'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ApprovalDecision, ApprovalRule } from '@/lib/protocol/approval'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { anyRule } from '@/tests/support/any-rule'
import { eventsOf, runFixture, runInput, testTool } from '@/tests/support/run-fixture'
import type { ScriptStep } from '@/tests/support/scripted-model'

export type Recorded = {
  script: ScriptStep[]
  tools?: ExecutableTool[]
  subject?: Partial<Subject>
  input?: Parameters<typeof runInput>[0]
  deps?: Partial<RunDeps>
  /** The run ends before its script. */
  isCut?: boolean
  /** Starts are counted, as the engine does. */
  isCounted?: boolean
}

/** Replays a run, and returns what differs from it. */
export async function replayed(...input: Parameters<typeof replayRun>) {
  const { before, after, ...replay } = await replayRun(...input)
  return { ...replay, differences: differencesOf(before, after) }
}

/** Runs a script, and returns a function that replays it with the policy of then, changed by `subject`. */
export async function record({
  script,
  tools = [],
  subject,
  input,
  deps,
  isCut,
  isCounted,
}: Recorded) {
  const run = runFixture({ script, tools, subject, deps })
  const journal = isCounted ? counted(run.journal) : run.journal
  await runAgent(runInput(input), { ...run.deps, journal })
  if (!isCut) run.model.verify()
  return async (change: Partial<Subject> = {}, snapshot = runInput(input).snapshot) =>
    replayed(
      { runId: 'run-1', events: run.events, nativeOf: run.journal.nativeOf },
      {
        subject: { ...run.switches.subject, ...change },
        tools: untouchable(run.deps.tools),
        snapshot,
        startsOf: () => [],
      },
    )
}

/** Returns the journal that tells the gates how often a tool was called in the run, as the stored one does. */
function counted(journal: ReturnType<typeof runFixture>['journal']): Journal {
  return {
    ...journal,
    begin: (start, decide) =>
      journal.begin(start, (subject) => {
        const name = start.type === 'call-start' ? start.data.name : ''
        const rate = subject.rates.get(name)
        if (!rate) return decide(subject)
        const starts = eventsOf(journal.events, 'call-start')
        const inRun = starts.filter(({ data }) => data.name === name).length
        const use = { inMinute: inRun, inRun, waitMs: 1_000 }
        return decide({ ...subject, rates: new Map([[name, { ...rate, use }]]) })
      }),
  }
}

/** Returns tools that fail the test when they are called. */
export function untouchable(tools: RunDeps['tools']): RunDeps['tools'] {
  const execute = () => {
    throw new Error('A replay called a tool.')
  }
  return new Map([...tools].map(([name, tool]) => [name, { ...tool, execute }]))
}

export const look = testTool('look')
export const write = testTool('write', { effect: 'write' })

export const asking: ApprovalRule = { ...anyRule, toolName: 'write' }
export const decides = (decision: ApprovalDecision): Partial<RunDeps> => ({
  readDecisions: async (waiting) =>
    waiting.flatMap(({ approval }) =>
      approval ? [{ approvalId: approval.approvalId, decision }] : [],
    ),
})
export const approved = {
  type: 'approved',
  by: 'ada@example.org',
  userId: 'u-admin',
  message: '',
} as const
