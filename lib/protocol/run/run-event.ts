import { z } from 'zod'
import { ApprovalDecision } from '@/lib/protocol/approval'
import { CheckOfRun, JudgedRun } from '@/lib/protocol/check/check'
import { CapDecision, CostBefore, Usage } from '@/lib/protocol/cost/money'
import { Preview, Seen, WriteCheck } from '@/lib/protocol/look'
import { PromptMemory } from '@/lib/protocol/memory'
import { FailedCall, Used } from '@/lib/protocol/model/failed-call'
import { FailureCategory, ProviderFailure } from '@/lib/protocol/model/failure'
import { AskedInText, finishReasons, ReasoningBlock, ToolCall } from '@/lib/protocol/model/message'
import { OfferedTool } from '@/lib/protocol/offered-tool'
import { PanelRole } from '@/lib/protocol/panel/panel-role'
import { Actor, Denial, Effect, Outcome, RunFile, Verdict } from '@/lib/protocol/tool'
import { StartedBy } from './child-runs'
import { Fork } from './fork'
import { OverrideName } from './override-names'
import { Recording } from './recording'
import { RunSnapshot } from './run-snapshot'

/** Why a run ended. `completed` with truncated = false is the only full success. */
export const EndReason = z.enum([
  'completed',
  'max-rounds',
  'budget',
  'no-price',
  'length',
  'content-filter',
  'cost-cap',
  'loop',
  'context',
  'cancelled',
  'frozen',
  'revoked',
  'time-limit',
  'provider-error',
  'internal-error',
  'invalid-output',
])
export type EndReason = z.infer<typeof EndReason>

const event = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({ type: z.literal(type), data })

const round = z.int().positive()
const callId = z.string()

/** Events that make up an answered round. A run that goes on from another one has copies of these. */
const roundEvents = [
  /** A model request is about to be sent, anew after a crash. Committed with the reading of the run's rights (SPEC G-R). */
  event(
    'round-start',
    z.object({
      round,
      closing: z.boolean(),
      target: z.int().nonnegative(),
      offered: z.array(z.string()),
      contextTokens: z.int(),
      /** The most that it can use, as budgets hold it; absent when no budget counts it. */
      worst: z.object({ inputTokens: z.int(), outputTokens: z.int() }).optional(),
      /** Reservation of the budgets for this request; absent when no budget counts it. */
      reservationId: z.uuid().optional(),
      /** Which try of the model it is, when tries before it are counted apart; absent = the first. */
      attempt: z.int().optional(),
    }),
  ),
  /** The whole model response of a round; what was shown of it before is no part of the journal (SPEC J2). */
  event(
    'message',
    z.object({
      round,
      target: z.int().nonnegative(),
      text: z.string(),
      reasoning: z.array(ReasoningBlock),
      toolCalls: z.array(ToolCall),
      /** The call that the answer asked for in text (SPEC W). */
      inText: AskedInText.optional(),
      /** Errors of a final answer that must fit a JSON Schema; none: it fits (SPEC Q5). */
      outputErrors: z.array(z.string()).optional(),
      finishReason: z.enum(finishReasons),
      usage: Usage,
      costMicroUsd: z.int().nullable(),
      latencyMs: z.number(),
      firstTokenMs: z.number().nullable(),
      retries: z.int(),
      /** Reservation of the budgets for this call, settled with it; absent when no budget counted it. */
      reservationId: z.uuid().optional(),
      /** Why it is cut; absent when the provider came to its own end. */
      errorCategory: FailureCategory.optional(),
    }),
  ),
  /** The run waits for a person before any call of the round begins (SPEC G-A). Times are ms since 1970. */
  event(
    'approval-request',
    z.object({
      round,
      callId,
      approvalId: z.string(),
      name: z.string(),
      argumentsHash: z.string(),
      ruleId: z.string().nullable(),
      ruleName: z.string(),
      /** An approval covers other calls of the tool in this run that match the rule (SPEC G-D). */
      once: z.literal(true).optional(),
      /** The rule because of which whoever started the run may not decide; absent = there was none. */
      fourEyesRule: z.string().optional(),
      expiresAt: z.int(),
      /** Absent where the tool cannot look. */
      preview: Preview.optional(),
    }),
  ),
  /** The decision of a person, or that nobody decided in time. */
  event('approval-decision', z.object({ round, callId, decision: ApprovalDecision })),
  /** Committed in the same transaction that read the switches (SPEC G-F). */
  event(
    'call-start',
    z.object({
      round,
      callId,
      name: z.string(),
      effect: Effect,
      attempt: z.int(),
      /** The target before the call, if no preview of these arguments has it. */
      before: Seen.optional(),
    }),
  ),
  /** `verdict` is what the gates said at the moment of the call. */
  event(
    'call-end',
    z.object({
      round,
      callId,
      name: z.string(),
      verdict: Verdict,
      outcome: Outcome,
      durationMs: z.number(),
      /** The ids of the rules that match and only observe; absent = none. */
      observed: z.array(z.string()).optional(),
      /** Absent where the tool cannot look, or the call did not begin. */
      check: WriteCheck.optional(),
    }),
  ),
  event(
    'warning',
    z.object({
      round: round.nullable(),
      code: z.enum([
        'loop',
        'context-pruned',
        'tools-unconfirmed',
        'duplicate-call-id',
        'too-many-calls',
        'rule-observed',
        'usage-missing',
        'native-too-large',
        // In journals of older versions.
        'offer-unavailable',
        'one-request-in-text',
        'parameter-changed',
        'canary',
        'cost-cap',
        'budget-uncounted',
        'database-went-back',
      ]),
      message: z.string(),
      /** True when the model is told too, as a note in its next request. */
      tellModel: z.boolean(),
      /** For `context-pruned`: rounds up to and including this one are no longer sent. */
      prunedThrough: z.int().nullable(),
      /** For `context-pruned`: so many of the oldest turns before the run are no longer sent. */
      prunedTurns: z.int().optional(),
    }),
  ),
] as const

/** Change that a person made to a copied round: its answer, or the arguments or the result of a call. */
const CopiedEdit = z.object({
  round,
  what: z.enum(['answer', 'arguments', 'result']),
  /** null = the answer. */
  callId: callId.nullable(),
  by: z.string(),
})

/** Rounds that a run has from another one. */
export const CopiedRounds = z.object({
  /** The run that they come from. */
  runId: z.uuid(),
  /** Number of the last of them; 0 = the run of a check, which has only the recordings. */
  round: z.int().nonnegative(),
  /** Each with the time of the original, ms since 1970. */
  events: z.array(z.object({ at: z.int(), body: z.discriminatedUnion('type', roundEvents) })),
  edits: z.array(CopiedEdit),
  /** Calls of the original after these rounds, in order: results for tools that are not called. */
  recordings: z.array(Recording),
})
export type CopiedRounds = z.infer<typeof CopiedRounds>

/** An event without its place in the journal. */
export const RunEventBody = z.discriminatedUnion('type', [
  /** First event: who, what, and the tools asked for with the verdict on each (SPEC G-E). */
  event(
    'run-start',
    z.object({
      prompt: z.string(),
      /** The run before it in its conversation (SPEC C1); absent = it begins one. */
      continues: z.uuid().optional(),
      /** The panel that it is a member of (SPEC Q1); absent = none. */
      panelId: z.uuid().optional(),
      /** Its place among the members, and what it does there in a coordination (SPEC Q2). */
      panelPlace: z.int().optional(),
      /** Choice about the cost cap of its panel before the run began; absent: none. */
      panelCapDecision: CapDecision.optional(),
      panelRole: PanelRole.optional(),
      /** Sources that others can write and that earlier roles read: their words are in the prompt. Absent: none. */
      panelReads: z.array(z.string()).optional(),
      /** The call that started it; absent = none did. */
      parent: StartedBy.optional(),
      /** Cost of the earlier turns, which its caps count, too; absent: it begins a conversation. */
      costBefore: CostBefore.optional(),
      /** Overrides of the configuration (SPEC C1a), as its snapshot has them; absent: none. */
      overridden: z.array(OverrideName).optional(),
      /** The run that it is, with a change; absent = none. */
      changedFrom: z.uuid().optional(),
      /** The run whose first rounds it has, which the next event copies; absent = none. */
      fork: Fork.optional(),
      /** The check that it runs, whose recordings the next event has; absent = none. */
      check: CheckOfRun.optional(),
      /** The run whose prompt and answer it has to judge; absent = none. */
      judges: JudgedRun.optional(),
      /** Absent = none. */
      files: z.array(RunFile).optional(),
      /** Absent = the configuration puts no notes into the prompt. */
      memory: PromptMemory.optional(),
      actor: Actor,
      snapshot: RunSnapshot,
      accepted: z.array(OfferedTool),
      rejected: z.array(
        Denial.pick({ gate: true, reason: true, part: true }).extend({ name: z.string() }),
      ),
      nonce: z.string(),
      /** Planted beside untrusted content (SPEC T7); empty = none was. */
      canary: z.string(),
    }),
  ),
  /**
   * Rounds of another run, which this one goes on from (SPEC C2): what was answered and returned there, with at most one edit.
   * Nothing of it is sent, called or paid again.
   */
  event('copied', CopiedRounds),
  ...roundEvents,
  /** Another try of the round's request is about to be sent; `round-start` says it of the first. */
  event(
    'request-start',
    z.object({
      round,
      target: z.int().nonnegative(),
      attempt: z.int(),
      /** As in `round-start`; absent in journals from before, where all tries have the same. */
      reservationId: z.uuid().optional(),
    }),
  ),
  event(
    'model-retry',
    z.object({
      round,
      attempt: z.int(),
      delayMs: z.int(),
      failure: ProviderFailure,
      /** The try that failed; journals from before count it with the one that follows. */
      failedCall: FailedCall.optional(),
    }),
  ),
  event(
    'model-fallback',
    z.object({
      round,
      from: z.int(),
      to: z.int(),
      failure: ProviderFailure,
      failedCall: FailedCall.optional(),
    }),
  ),
  /** The request is about to be sent again with another key of its connection; `from` and `to` are their labels. */
  event(
    'key-change',
    z.object({ round, from: z.string(), to: z.string(), failure: ProviderFailure }),
  ),
  /**
   * A request that has neither an answer nor a failure of its own, and counts all the same (SPEC M5): its process died or
   * gave the run away while it was under way, which costs what it may have used, estimated; or that happened, or its run
   * was stopped, between two tries, which costs nothing.
   */
  event('request-lost', FailedCall.omit({ used: true }).extend(Used.shape)),
  /** The call started a run; and what such runs cost so far, when that changed before a step: null = one is unpriced. */
  event('child-start', z.object({ round, callId, runId: z.uuid() })),
  event('child-cost', z.object({ microUsd: z.int().nullable() })),
  /** A choice after a cost cap was reached: about the caps of the run itself or, with `ofPanel`, about that of its panel. */
  event(
    'cost-cap-decision',
    CapDecision.extend({ spentMicroUsd: z.int().nullable(), ofPanel: z.literal(true).optional() }),
  ),
  /** The other members of its panel have cost so much when this run was about to go on, and a cap of the panel is reached (SPEC Q3). */
  event('panel-cost', z.object({ othersMicroUsd: z.int().nullable() })),
  event('cancel-requested', z.object({ by: z.string(), reason: z.string() })),
  /** Exactly one (SPEC R16); only `repriced` may follow it. */
  event(
    'run-end',
    z.object({
      reason: EndReason,
      /** There is an answer, but it is incomplete. */
      truncated: z.boolean(),
      /** Refused before its first model request; journals from before say nothing and `foldRun` works it out. */
      notStarted: z.boolean().optional(),
      message: z.string(),
      failure: ProviderFailure.nullable(),
      failedCall: FailedCall.optional(),
      /** The answer as JSON, when it fits the schema of the run. */
      structured: z.unknown().optional(),
      usage: Usage,
      costMicroUsd: z.int().nullable(),
      wallTimeMs: z.number(),
    }),
  ),
  /** Its prices were entered or corrected after the run: the new cost of each round and of the run. */
  event(
    'repriced',
    z.object({
      costs: z.array(z.object({ round, costMicroUsd: z.int().nullable() })),
      costMicroUsd: z.int().nullable(),
      by: z.string(),
    }),
  ),
])
export type RunEventBody = z.infer<typeof RunEventBody>

/** One row of a run's journal (SPEC J1). `at` is milliseconds since 1970, by the writer's clock. */
export type RunEvent = RunEventBody & { runId: string; seq: number; at: number }

export type RunEventOf<T extends RunEventBody['type']> = Extract<RunEventBody, { type: T }>
