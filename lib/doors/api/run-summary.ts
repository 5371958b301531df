import { z } from 'zod'
import { ApprovalDecision } from '@/lib/protocol/approval'
import { CheckOfRun } from '@/lib/protocol/check/check'
import { runCacheSavedMicroUsd, runCostBound } from '@/lib/protocol/cost/cost'
import { CostBound, Usage } from '@/lib/protocol/cost/money'
import { ProviderFailure } from '@/lib/protocol/model/failure'
import { ownCapSummary } from '@/lib/protocol/panel/panel'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { Fork } from '@/lib/protocol/run/fork'
import type { ApprovalView, CallState, CallView } from '@/lib/protocol/run/round-view'
import { answerOf, modelOf } from '@/lib/protocol/run/run-answer'
import { EndReason } from '@/lib/protocol/run/run-event'
import { overridesOf, RunOverrides } from '@/lib/protocol/run/run-overrides'
import { Denial, Outcome, type Role } from '@/lib/protocol/tool'
import { CapSummary } from '@/lib/runs/panels/panel-schemas'
import type { readRun } from '@/lib/runs/read-run'
import { RunRow } from '@/lib/runs/schemas'

type Run = Awaited<ReturnType<typeof readRun>>

const [finished, ...otherOutcomes] = Outcome.options
const [approved, edited, denied, expired] = ApprovalDecision.options
const at = { at: z.string() }

const Call = z.object({
  callId: z.string(),
  round: z.number(),
  name: z.string(),
  arguments: z.string(),
  /** null = none was asked for. `decision` null = the call waits for it. What the tool saw before is in the events. */
  approval: z
    .object({
      approvalId: z.string(),
      ruleName: z.string(),
      /** An approval covers other calls of the tool in this run that match the rule. */
      once: z.boolean(),
      /** The rule because of which whoever started the run may not decide; null = there was none when it was asked about. */
      fourEyesRule: z.string().nullable(),
      argumentsHash: z.string(),
      requestedAt: z.string(),
      expiresAt: z.string(),
      decision: z
        .discriminatedUnion('type', [
          approved.extend(at),
          edited.extend(at),
          denied.extend(at),
          expired.extend(at),
        ])
        .nullable(),
    })
    .nullable(),
  /** The run that it started; null = none. */
  childRunId: z.string().nullable(),
  state: z.enum(['pending', 'running', 'ended']),
  durationMs: z.number().nullable(),
  /** Only how it ended: results can be large and contain images. */
  outcome: z
    .discriminatedUnion('type', [
      finished.pick({
        type: true,
        truncated: true,
        originalBytes: true,
        leftOut: true,
        flags: true,
      }),
      ...otherOutcomes,
    ])
    .nullable(),
})

/**
 * A run as the API shows it: its state, the answer, and how each call ended. The results of calls are in the events.
 * Costs are in micro-USD (null = unpriced), times are ISO text in UTC.
 */
export const RunSummary = RunRow.pick({
  runId: true,
  status: true,
  waiting: true,
  source: true,
  tags: true,
  note: true,
}).extend({
  endReason: EndReason.nullable(),
  truncated: z.boolean(),
  notStarted: z.boolean(),
  message: z.string().nullable(),
  failure: ProviderFailure.nullable(),
  prompt: z.string(),
  configuration: z
    .object({ id: z.string().nullable(), identifier: z.string(), name: z.string() })
    .nullable(),
  model: z.string().nullable(),
  tools: z
    .object({
      accepted: z.array(z.string()),
      rejected: z.array(Denial.pick({ gate: true, reason: true }).extend({ name: z.string() })),
    })
    .nullable(),
  answer: z.string(),
  /** The answer as JSON, when it fits the schema of the run; null = it has none, or does not fit. */
  structured: z.unknown(),
  outputErrors: z.array(z.string()).nullable(),
  rounds: z.number(),
  calls: z.array(Call),
  usage: Usage,
  costMicroUsd: z.number().nullable(),
  costBound: CostBound,
  cacheSavedMicroUsd: z.number().nullable(),
  lastSeq: z.number(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  wallTimeMs: z.number().nullable(),
  /** The run before it in its conversation, and the first one; null = it continues none (SPEC C1). */
  continues: z.string().nullable(),
  conversationId: z.string().nullable(),
  /** Overrides of the configuration (null: none), and the run that this one repeats with a change (SPEC C1a). */
  overrides: RunOverrides.nullable(),
  changedFrom: z.string().nullable(),
  /**
   * The run whose rounds it has up to this one, with the sources of its tools (SPEC C2); null = none. `rounds` and `calls` have the
   * copied ones, usage and costs do not.
   */
  fork: Fork.nullable(),
  check: CheckOfRun.nullable(),
  /** The call of another run that started it; null = none did. */
  parent: z.object({ runId: z.string(), callId: z.string() }).nullable(),
  /** Cost of the runs that its calls started, as its caps count it; `costMicroUsd` does not contain it. */
  childrenMicroUsd: z.number().nullable(),
  /** State of its lowest own cap (SPEC M4); null: none. */
  costCap: CapSummary.nullable(),
})

/** Returns a run as the API shows it. */
export function runSummary(run: Run, role: Role): z.infer<typeof RunSummary> {
  const state = foldRun(run.events)
  const { start, end } = state
  return {
    runId: run.runId,
    status: run.status,
    waiting: run.waiting,
    endReason: end?.reason ?? null,
    truncated: end?.truncated ?? false,
    notStarted: end?.notStarted ?? false,
    message: end?.message ?? null,
    failure: end?.failure ?? null,
    source: run.source,
    prompt: run.prompt,
    configuration: start && {
      id: start.snapshot.configurationId,
      identifier: start.snapshot.configurationIdentifier,
      name: start.snapshot.configurationName,
    },
    model: modelOf(state),
    tools: start && {
      accepted: start.accepted.map((tool) => tool.name),
      rejected: start.rejected,
    },
    answer: answerOf(state),
    structured: end?.structured ?? null,
    outputErrors: state.rounds.at(-1)?.outputErrors ?? null,
    rounds: state.rounds.length,
    calls: state.rounds.flatMap((round) => round.calls).map(toCall),
    usage: state.usage,
    costMicroUsd: state.costMicroUsd,
    costBound: runCostBound(state),
    cacheSavedMicroUsd: runCacheSavedMicroUsd(state),
    lastSeq: state.lastSeq,
    createdAt: run.createdAt,
    endedAt: run.endedAt,
    wallTimeMs: end?.wallTimeMs ?? null,
    continues: run.continues,
    conversationId: run.conversationId,
    overrides: start && overridesOf(start.snapshot, start.overridden),
    changedFrom: run.changedFrom,
    fork: start?.fork ?? null,
    check: start?.check ?? null,
    parent: start?.parent ? { runId: start.parent.runId, callId: start.parent.callId } : null,
    childrenMicroUsd: state.childrenMicroUsd,
    costCap: ownCapSummary(state, role),
    tags: run.tags,
    note: run.note,
  }
}

function toCall({ callId, round, name, argumentsText, state, approval, childRunId }: CallView) {
  const waits = approval && toApproval(approval)
  const input = { callId, round, name, arguments: argumentsText, approval: waits }
  return { ...input, childRunId: childRunId ?? null, ...toProgress(state) }
}

function toApproval(view: ApprovalView) {
  const { requestedAt, expiresAt, decision, ruleId: _, preview: __, ...approval } = view
  return {
    ...approval,
    requestedAt: new Date(requestedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    decision: decision && { ...decision, at: new Date(decision.at).toISOString() },
  }
}

function toProgress(state: CallState) {
  if (state.type !== 'ended') return { state: state.type, durationMs: null, outcome: null }
  return { state: state.type, durationMs: state.durationMs, outcome: toOutcome(state.outcome) }
}

/** Returns only the outcome of a call, because results can be large and contain images. */
function toOutcome(outcome: Outcome) {
  if (outcome.type !== 'ok') return outcome
  const { type, truncated, originalBytes, leftOut, flags } = outcome
  return { type, truncated, originalBytes, ...(leftOut && { leftOut }), flags }
}
