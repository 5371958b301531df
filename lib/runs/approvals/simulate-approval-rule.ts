import 'server-only'
import { z } from 'zod'
import { TriedRule } from '@/lib/domains/approvals/shape'
import { verb } from '@/lib/edge/verb'
import { rulesForCall } from '@/lib/engines/runtime/call/approvals'
import { matchingRules } from '@/lib/engines/runtime/policy/rules'
import { db } from '@/lib/kernel/db'
import type { ApprovalRule } from '@/lib/protocol/approval'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { requireComparable } from '@/lib/toolset/policy/comparable-conditions'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'

const maxCalls = 5_000
const shownCalls = 50

/** A past call. `outcome` null = the run has not executed it, or ended before. `at` is ISO text in UTC. */
const PastCall = z.object({
  runId: z.string(),
  callId: z.string(),
  toolName: z.string(),
  argumentsText: z.string(),
  outcome: z.string().nullable(),
  at: z.string(),
})

/**
 * `looked` = calls that were compared with the rule, `stopped` = those it would have matched; `calls` are the newest of
 * them.
 */
const Simulation = z.object({
  looked: z.number(),
  /** True when these days had more calls than were compared. */
  limited: z.boolean(),
  stopped: z.number(),
  calls: z.array(PastCall),
})
export type Simulation = z.infer<typeof Simulation>

/** Calls that were refused earlier (by a gate, or for their arguments) do not count as stopped. */
export const simulateApprovalRule = verb({
  name: 'approval-rule.simulate',
  role: 'admin',
  scope: null,
  summary:
    'Compares a rule with the last calls of the newest runs of some days, at most 5,000, from their journals.',
  input: z.object({
    rule: TriedRule,
    days: z.int().min(1, 'At least one day.').max(365, 'At most a year.').default(30),
  }),
  output: Simulation,
  transaction: false,
  run: async (_context, { rule, days }) => {
    requireComparable(rule.conditions, 'rule.')
    const past = await readPastCalls(days)
    const calls = past.slice(0, maxCalls)
    const tools = await loadToolset(db())
    const tried = { rule: { ...rule, id: 'simulated' }, groups: await groupsOf(rule) }
    const stopped = calls.filter((call) => ruleWouldStop(call, tools.get(call.toolName), tried))
    return {
      looked: calls.length,
      limited: past.length > maxCalls,
      stopped: stopped.length,
      calls: stopped.slice(0, shownCalls).map(toPastCall),
    }
  },
})

const StoredCall = z.object({
  runId: z.string(),
  callId: z.string(),
  configurationId: z.string().nullable(),
  userId: z.string(),
  apiKeyId: z.string().nullable(),
  toolName: z.string(),
  argumentsText: z.string(),
  outcome: z.string().nullable(),
  gate: z.string().nullable(),
  at: z.date(),
})
type StoredCall = z.infer<typeof StoredCall>

/** The rule that is tried, and for each person the groups that it may be about. */
type Tried = { rule: ApprovalRule; groups: ReadonlyMap<string, readonly string[]> }

/** Returns the people who are in the group that the rule is about now, each with this group. */
async function groupsOf({ groupId }: Pick<ApprovalRule, 'groupId'>): Promise<Tried['groups']> {
  if (groupId === null) return new Map()
  const members = await db().groupMember.findMany({ where: { groupId } })
  return new Map(members.map(({ userId }) => [userId, [groupId]]))
}

/** Reads the newest runs first, by their index on time, and no more than needed; their events by primary key. */
async function readPastCalls(days: number): Promise<StoredCall[]> {
  const rows = await db().$queryRaw<unknown[]>`
    WITH calls AS (
      SELECT e."runId", e.seq, e.at, r."createdAt", r."configurationId", r."userId", r."apiKeyId", c.call, c.place
      FROM runs r
      JOIN run_events e ON e."runId" = r.id AND e.type = 'message'
      CROSS JOIN LATERAL jsonb_array_elements(e.data->'toolCalls') WITH ORDINALITY AS c(call, place)
      WHERE r."createdAt" > now() AT TIME ZONE 'UTC' - make_interval(days => ${days}::int)
        AND r.calls > 0
      ORDER BY r."createdAt" DESC, r.id, e.seq DESC, c.place DESC LIMIT ${maxCalls + 1})
    SELECT a."runId", a."configurationId", a."userId", a."apiKeyId", a.at, a.call->>'callId' AS "callId",
      a.call->>'name' AS "toolName", a.call->>'argumentsText' AS "argumentsText",
      ended.outcome->>'type' AS outcome, ended.outcome->>'gate' AS gate
    FROM calls a
    LEFT JOIN LATERAL (
      SELECT e.data->'outcome' AS outcome FROM run_events e
      WHERE e."runId" = a."runId" AND e.type = 'call-end' AND e.data->>'callId' = a.call->>'callId'
      LIMIT 1) ended ON true
    ORDER BY a."createdAt" DESC, a."runId", a.seq DESC, a.place DESC`
  return z.array(StoredCall).parse(rows)
}

/** Returns whether the rule would have matched a past call that came to the question. */
export function ruleWouldStop(
  call: StoredCall,
  tool: ExecutableTool | undefined,
  tried: Tried,
): boolean {
  return cameToTheQuestion(call) && wouldMatch(call, tool, tried)
}

function cameToTheQuestion({ outcome, gate }: StoredCall): boolean {
  if (outcome === 'invalid-arguments') return false
  return outcome !== 'denied' || gate === 'approval' || gate === 'rule'
}

/**
 * Returns whether the rule would match a call, with the arguments as a run would check them; when the tool is gone or
 * takes other arguments now, as they were written.
 */
function wouldMatch(
  call: StoredCall,
  tool: ExecutableTool | undefined,
  { rule, groups }: Tried,
): boolean {
  const { userId, apiKeyId, configurationId } = call
  const configuration =
    configurationId === null ? null : { id: configurationId, afterUntrusted: 'allow' as const }
  const actor = { userId, groups: groups.get(userId) ?? [] }
  // The simulation ignores other causes for waiting: the approval setting of the tool, and reads.
  const toolApprovals = new Map([[call.toolName, false]])
  const question = {
    configuration,
    actor,
    apiKeyId,
    approvalRules: [rule],
    toolApprovals,
    untrustedReads: [],
  }
  if (tool && rulesForCall(tool, call, question).length > 0) return true
  const { group = '', effect = 'read', server } = tool ?? {}
  const named = { name: call.toolName, group, effect, server }
  return matchingRules(named, [argumentsOf(call)], question).length > 0
}

/** Returns the parsed arguments. Text that is not JSON counts as no arguments; a run refuses it before any rule. */
function argumentsOf({ argumentsText }: StoredCall): unknown {
  try {
    return JSON.parse(argumentsText)
  } catch {
    return {}
  }
}

function toPastCall({ runId, callId, toolName, argumentsText, outcome, at }: StoredCall) {
  return { runId, callId, toolName, argumentsText, outcome, at: at.toISOString() }
}
