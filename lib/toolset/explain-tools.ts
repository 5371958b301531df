import 'server-only'
import { z } from 'zod'
import { readAnyConfiguration, readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { configurationObstacle, visibleConfigurations } from '@/lib/domains/configurations/usable'
import { readAnyTaskForRun, readTaskForRun, type TaskForRun } from '@/lib/domains/tasks/runnable'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { type ApprovalNote, approvalNote } from '@/lib/engines/runtime/policy/rules'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { decisionWords, gateAnswers } from '@/lib/protocol/gate-answers'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import { type Actor, GateAnswer, GateName, type Verdict } from '@/lib/protocol/tool'
import { loadSubject } from './load-subject'
import type { ToolListing } from './tool-listing'
import { readTools } from './tool-verbs'
import { withTask } from './with-task'

export type ExplainQuestion = {
  /** Whose run it would be; null = one's own. */
  userId: string | null
  /** Id or identifier; null = none was picked yet, and the gates about it are not asked. */
  configuration: string | null
  /** Id or identifier; null = a prompt of one's own. It brings its configuration where none was picked. */
  task?: string | null
  /** Tools picked for the run; null = all. */
  selected: readonly string[] | null
}

/**
 * `answers` are the gates in order, up to the first no; `approval` is what a call of a tool that is allowed waits for.
 */
export type ToolExplanation = ToolListing & {
  verdict: Verdict
  answers: GateAnswer[]
  approval: ApprovalNote | null
}

/**
 * Returns every tool of this site with the gates' decision for this person, configuration and task now: exactly what a
 * run that starts at this moment would be offered and denied, in the same words (SPEC section 4). Members may ask only
 * for themselves. NotFoundError for a person, configuration or task that does not exist or that they may not use.
 */
export async function explainTools(ctx: Ctx, asked: ExplainQuestion): Promise<ToolExplanation[]> {
  const person = await readPerson(ctx, asked.userId)
  const snapshot = await readSnapshot(ctx, asked)
  const [tools, subject] = await Promise.all([
    readTools(),
    readSubject(person, snapshot, asked.selected),
  ])
  const withConfiguration = snapshot !== null
  return tools.map(({ tool, listing }) => {
    const verdict = decideTool(tool, subject)
    const approval = verdict.allowed ? approvalNote(tool, subject) : null
    return { ...listing, verdict, answers: gateAnswers(verdict, { withConfiguration }), approval }
  })
}

async function readPerson(ctx: Ctx, userId: string | null): Promise<Actor> {
  if (userId === null || userId === ctx.actor.userId) return ctx.actor
  requireRole(ctx, 'admin')
  const row = await db().user.findFirst({
    where: { id: parseId(userId, 'The user'), deletedAt: null },
    select: { id: true, email: true, role: true },
  })
  if (!row) throw new NotFoundError('The user')
  return { userId: row.id, email: row.email, role: row.role }
}

async function readSnapshot(
  ctx: Ctx,
  { configuration, task }: ExplainQuestion,
): Promise<RunSnapshot | null> {
  const picked = task ? await readTask(ctx, task) : null
  const wanted = configuration ?? picked?.configurationId ?? null
  if (wanted === null) return null
  const read = ctx.actor.role === 'admin' ? readAnyConfiguration : readConfiguration
  return withTask(await read(db(), ctx, wanted), picked)
}

function readTask(ctx: Ctx, task: string): Promise<TaskForRun> {
  return ctx.actor.role === 'admin'
    ? readAnyTaskForRun(db(), ctx, task)
    : readTaskForRun(db(), ctx, task, visibleConfigurations(ctx))
}

async function readSubject(
  person: Actor,
  snapshot: RunSnapshot | null,
  selected: readonly string[] | null,
): Promise<Subject> {
  const subject = await loadSubject(db(), { userId: person.userId, snapshot, selected })
  if (!subject.configuration) return subject
  const closed = await configurationObstacle(db(), person, subject.configuration.id)
  return { ...subject, configuration: { ...subject.configuration, closed } }
}

/**
 * The answer of the API and the command line about one tool. `gate` and `reason` are null when it is allowed;
 * `decision` says it in sentences, `gates` gate by gate.
 */
export const VerdictLine = z.object({
  name: z.string(),
  allowed: z.boolean(),
  gate: GateName.nullable(),
  reason: z.string().nullable(),
  decision: z.string(),
  gates: z.array(GateAnswer),
})
export type VerdictLine = z.output<typeof VerdictLine>

type Decided = { name: string; verdict: Verdict; answers: GateAnswer[] }

/** Returns one line per tool, by name in the order of code units, as in a run's first event. */
export function toVerdictLines(tools: readonly Decided[]): VerdictLine[] {
  return tools.map(toLine).sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
}

function toLine({ name, verdict, answers: gates }: Decided): VerdictLine {
  const decision = decisionWords(verdict, gates)
  if (verdict.allowed) return { name, allowed: true, gate: null, reason: null, decision, gates }
  const { gate, reason } = verdict
  return { name, allowed: false, gate, reason, decision, gates }
}
