import 'server-only'
import { z } from 'zod'
import { fourEyesRuleFor } from '@/lib/engines/runtime/call/approvals'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { RunRequest } from '@/lib/runs/schemas'
import { loadSubjects } from '@/lib/toolset/policy/load-subject'
import type { Reading } from '@/lib/toolset/policy/read-policy-state'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'

/** `mayDeny`: denying a call needs fewer rights than approving it. */
export const MayDecide = z.discriminatedUnion('allowed', [
  z.object({ allowed: z.literal(true) }),
  z.object({ allowed: z.literal(false), reason: z.string(), mayDeny: z.boolean() }),
])
export type MayDecide = z.infer<typeof MayDecide>

/**
 * Facts that decide the approvals of a run. `fourEyes`: its configuration requires a second person, or did when the run
 * started. The long texts of the snapshot, system prompt and bodies of skills, are empty.
 */
export type ApprovalRun = {
  userId: string
  apiKeyId: string | null
  fourEyes: boolean
  snapshot: RunSnapshot
  selected: readonly string[] | null
}

/**
 * A call that waits. `fourEyesRule`: the rule that required a second person when it was asked about; null = none did.
 * `editedArguments`: those that it would run with instead; null = as it is.
 */
type WaitingCall = {
  toolName: string
  argumentsText: string
  fourEyesRule: string | null
  editedArguments: string | null
}

/**
 * Returns whether this person may approve this call: the gates must allow them the tool now, and they must not count as starter
 * of the run (SPEC A10) where a second person is required, by its configuration or by a rule, when it was asked about or now (SPEC G-A).
 */
export async function mayDecide(
  tx: Tx,
  ctx: Ctx,
  run: ApprovalRun,
  call: WaitingCall,
): Promise<MayDecide> {
  const rights = await rightsOver(tx, ctx, [run])
  return rights(run, call)
}

/** Returns `mayDecide` for all calls of these runs, with one statement for all of them. */
export async function rightsOver(
  tx: Tx,
  ctx: Ctx,
  runs: readonly ApprovalRun[],
): Promise<(run: ApprovalRun, call: WaitingCall) => MayDecide> {
  const { userId } = ctx.actor
  const started = (run: ApprovalRun) =>
    userId === run.userId || (run.snapshot.starters?.includes(userId) ?? false)
  const askGates = runs.filter((run) => !started(run) || !run.fourEyes)
  // Rules are asked about the person of the run, also when somebody else counts as its starter.
  const askRules = askGates.filter((run) => started(run) && userId !== run.userId)
  const subjects = await loadSubjects(tx, [
    ...askGates.map((run) => ({ ...run, userId })),
    ...askRules,
  ])
  const subjectOf = new Map(askGates.map((run, place) => [run, subjects[place]]))
  const ofPerson = new Map(askRules.map((run, place) => [run, subjects[askGates.length + place]]))
  const tools = await loadToolset(tx)
  return (run, call) => {
    if (run.snapshot.editors?.includes(userId)) {
      return notOwn('You edited what this run goes on from. Another person must decide this.')
    }
    if (!subjectOf.has(run)) {
      return notOwn(
        `${startedWords(run, userId)}, and its configuration requires that somebody else decides (four eyes).`,
      )
    }
    const subject = requireRead(subjectOf.get(run))
    const tool = tools.get(call.toolName)
    const subjectOfRun = ofPerson.has(run) ? requireRead(ofPerson.get(run)) : subject
    const rule = started(run) ? secondPersonRule(tool, call, subjectOfRun) : null
    if (rule !== null) {
      return notOwn(
        `${startedWords(run, userId)}. Another person must decide this because of the rule "${rule}" (four eyes).`,
      )
    }
    const verdict = decideTool(tool, subject)
    if (verdict.allowed) return { allowed: true }
    const reason = `You may not use this tool yourself. ${verdict.reason}`
    return { allowed: false, reason, mayDeny: true }
  }
}

function requireRead(reading: Reading<Subject> | undefined): Subject {
  if (reading?.type === 'read') return reading.value
  throw reading?.error ?? new Error('The policy state has no answer for this run.')
}

/** Says how somebody counts as starter of a run (SPEC A10). */
function startedWords(run: ApprovalRun, userId: string): string {
  return userId === run.userId
    ? 'You started this run'
    : 'You wrote or started the schedule or task that this run comes from'
}

function notOwn(reason: string): MayDecide {
  return { allowed: false, reason, mayDeny: false }
}

/** Returns the rule that requires a second person for a call, or did when it was asked about; null = none. */
function secondPersonRule(
  tool: ExecutableTool | undefined,
  { argumentsText, editedArguments, fourEyesRule }: WaitingCall,
  subject: Subject,
): string | null {
  if (fourEyesRule !== null || !tool) return fourEyesRule
  return fourEyesRuleFor(tool, [argumentsText, editedArguments ?? argumentsText], subject)
}

const Row = z.object({
  id: z.string(),
  userId: z.string(),
  apiKeyId: z.string().nullable(),
  request: RunRequest,
  /** null = its configuration is gone. */
  fourEyes: z.boolean().nullable(),
  snapshot: RunSnapshot,
})

/**
 * Returns what the approvals of these runs are judged by, by run id; runs whose journal cannot be read are missing. A
 * second person is required when the configuration said so as the run started or says so now, so that no change lets
 * one person approve a pending call alone (SPEC G-X). System prompts and bodies of skills, which can be megabytes, stay
 * in the database.
 */
export async function readApprovalRuns(
  tx: Tx,
  runIds: string[],
): Promise<Map<string, ApprovalRun>> {
  if (runIds.length === 0) return new Map()
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT r.id, r."userId", r."apiKeyId", r.request, c."fourEyes",
      e.data->'snapshot' || jsonb_build_object('systemPrompt', '', 'skills', (
        SELECT coalesce(jsonb_agg(s.skill || '{"body":""}' ORDER BY s.place), '[]')
        FROM jsonb_array_elements(e.data->'snapshot'->'skills') WITH ORDINALITY AS s(skill, place)
      )) AS snapshot
    FROM runs r
    JOIN run_events e ON e."runId" = r.id AND e.seq = 1 AND e.type = 'run-start'
    LEFT JOIN configurations c ON c.id = r."configurationId"
    WHERE r.id = ANY(${runIds}::uuid[])`
  return new Map(
    rows.flatMap((each) => {
      const row = Row.safeParse(each)
      if (!row.success) return []
      const { id, userId, apiKeyId, request, snapshot } = row.data
      const fourEyes = snapshot.fourEyes || row.data.fourEyes === true
      return [[id, { userId, apiKeyId, fourEyes, snapshot, selected: request.tools }]]
    }),
  )
}
