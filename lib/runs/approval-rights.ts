import 'server-only'
import { z } from 'zod'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { RunSnapshot } from '@/lib/protocol/run-snapshot'
import { toolsByName } from '@/lib/toolset/installed-tools'
import { loadSubjects } from '@/lib/toolset/load-subject'
import { RunRequest } from './schemas'

/** `mayDeny`: denying a call needs fewer rights than approving it. */
export const MayDecide = z.discriminatedUnion('allowed', [
  z.object({ allowed: z.literal(true) }),
  z.object({ allowed: z.literal(false), reason: z.string(), mayDeny: z.boolean() }),
])
export type MayDecide = z.infer<typeof MayDecide>

/**
 * What the approvals of a run are judged by. `fourEyes`: its configuration requires a second person, or did when the
 * run started. The long texts of the snapshot, system prompt and bodies of skills, are empty.
 */
export type ApprovalRun = {
  userId: string
  apiKeyId: string | null
  fourEyes: boolean
  snapshot: RunSnapshot
  selected: readonly string[] | null
}

/**
 * Returns whether this person may approve a call of this tool: the gates must allow them the tool now, and they must
 * not have started the run where a second person is required (SPEC G-A).
 */
export async function mayDecide(
  tx: Tx,
  ctx: Ctx,
  run: ApprovalRun,
  toolName: string,
): Promise<MayDecide> {
  const rights = await rightsOver(tx, ctx, [run])
  return rights(run, toolName)
}

const startedIt: MayDecide = {
  allowed: false,
  reason:
    'You started this run, and its configuration requires that somebody else decides (four eyes).',
  mayDeny: false,
}

/** Returns `mayDecide` for all tools of these runs, with one statement for all of them. */
export async function rightsOver(
  tx: Tx,
  ctx: Ctx,
  runs: readonly ApprovalRun[],
): Promise<(run: ApprovalRun, toolName: string) => MayDecide> {
  const { userId } = ctx.actor
  const askGates = runs.filter((run) => userId !== run.userId || !run.fourEyes)
  const subjects = await loadSubjects(
    tx,
    askGates.map(({ apiKeyId, snapshot, selected }) => ({ userId, apiKeyId, snapshot, selected })),
  )
  const subjectOf = new Map(askGates.map((run, place) => [run, subjects[place]]))
  const tools = await toolsByName(tx)
  return (run, toolName) => {
    if (!subjectOf.has(run)) return startedIt
    const subject = subjectOf.get(run)
    if (subject?.type !== 'read') {
      throw subject?.error ?? new Error('The policy state has no answer for this run.')
    }
    const verdict = decideTool(tools.get(toolName), subject.value)
    if (verdict.allowed) return { allowed: true }
    const reason = `You may not use this tool yourself. ${verdict.reason}`
    return { allowed: false, reason, mayDeny: true }
  }
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
