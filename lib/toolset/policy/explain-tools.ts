import 'server-only'
import { z } from 'zod'
import { readAnyConfiguration, readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { configurationObstacle, usableBy } from '@/lib/domains/configurations/usable'
import { readAnyTaskForRun, readTaskForRun, type TaskForRun } from '@/lib/domains/tasks/runnable'
import { type ApprovalNote, approvalNote } from '@/lib/engines/runtime/policy/approval-note'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { rateWords } from '@/lib/engines/runtime/policy/rate'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { decisionWords, gateAnswers } from '@/lib/protocol/gate-answers'
import { keyRefusesConfiguration } from '@/lib/protocol/key-limits'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { type Actor, GateAnswer, GateName, type ToolMeta, type Verdict } from '@/lib/protocol/tool'
import type { ToolListing } from '@/lib/toolset/tools/tool-listing'
import { readTools } from '@/lib/toolset/tools/tool-verbs'
import { loadSubject, type SubjectQuestion } from './load-subject'
import { withUse } from './tool-rates'
import { withTask } from './with-task'

export type ExplainQuestion = {
  /** Person of the run; null: the caller. */
  userId: string | null
  /** The API key that it would be started with, whose owner starts it; null = none, or the one that asks for itself. */
  apiKeyId?: string | null
  /** Id or identifier; null = none was picked yet, and the gates about it are not asked. */
  configuration: string | null
  /** Id or identifier; null = a prompt of one's own. It brings its configuration where none was picked. */
  task?: string | null
  /** Tools picked for the run; null = all, or those that a task names which is a panel. */
  selected: readonly string[] | null
}

/**
 * `answers` are the gates in order, up to the first no; `approval` is what a call of a tool that is allowed waits for.
 */
type Explanation = {
  verdict: Verdict
  answers: GateAnswer[]
  approval: ApprovalNote | null
}

export type ToolExplanation = ToolListing & Explanation

/**
 * Returns every tool of this site with the gates' decision for this person, configuration and task now: exactly what a
 * run that starts at this moment would be offered and denied, in the same words (SPEC G). Members may ask only
 * for themselves. NotFoundError for a person, key, configuration or task that does not exist or that they may not use.
 */
export async function explainTools(ctx: Ctx, input: ExplainQuestion): Promise<ToolExplanation[]> {
  const [tools, { subject, snapshot }] = await Promise.all([readTools(), readAsked(ctx, input)])
  const withConfiguration = snapshot !== null
  return tools.map(({ tool, listing }) => ({
    ...listing,
    ...explainTool(tool, subject, { withConfiguration }),
  }))
}

/** Returns what the gates say about one tool, and what a call of it waits for. */
export function explainTool(
  tool: ToolMeta,
  subject: Subject,
  { withConfiguration }: { withConfiguration: boolean },
): Explanation {
  const verdict = decideTool(tool, subject)
  const rate = subject.rates.get(tool.name)
  const used = rate ? rateWords(rate) : null
  const approval = verdict.allowed ? approvalNote(tool, subject) : null
  return { verdict, answers: gateAnswers(verdict, { withConfiguration, used }), approval }
}

/** Inputs of the gates for a question: the person, the subject, and the configuration; null: none. */
type AskedRun = { person: Actor; subject: Subject; snapshot: RunSnapshot | null }

/** Returns what the gates are asked for a question. Throws as `explainTools` does. */
export async function readAsked(ctx: Ctx, input: ExplainQuestion): Promise<AskedRun> {
  const { person, apiKeyId } = await readAsker(ctx, input)
  const task = input.task ? await readTask(ctx, input.task) : null
  const snapshot = await readSnapshot(ctx, input.configuration, task)
  const selected = input.selected ?? task?.panel?.tools ?? null
  return { person, snapshot, subject: await readSubject(person, { apiKeyId, snapshot, selected }) }
}

type Asker = { person: Actor; apiKeyId: string | null }

/** Returns whose run it would be, and the key that it would be started with. */
async function readAsker(ctx: Ctx, { userId, apiKeyId = null }: ExplainQuestion): Promise<Asker> {
  if (apiKeyId === null) {
    const person = await readPerson(ctx, userId)
    return { person, apiKeyId: person === ctx.actor ? (ctx.apiKeyId ?? null) : null }
  }
  const isAdmin = ctx.actor.role === 'admin'
  const key = await db().apiKey.findFirst({
    where: { id: parseId(apiKeyId, 'The API key'), ...(!isAdmin && { userId: ctx.actor.userId }) },
    select: { id: true, userId: true },
  })
  if (!key || (userId !== null && userId !== key.userId)) throw new NotFoundError('The API key')
  return { person: await readPerson(ctx, key.userId), apiKeyId: key.id }
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
  configuration: string | null,
  task: TaskForRun | null,
): Promise<RunSnapshot | null> {
  const wanted = configuration ?? task?.configurationId ?? null
  if (wanted === null) return null
  const read = ctx.actor.role === 'admin' ? readAnyConfiguration : readConfiguration
  return withTask(await read(db(), ctx, wanted), task)
}

function readTask(ctx: Ctx, task: string): Promise<TaskForRun> {
  return ctx.actor.role === 'admin'
    ? readAnyTaskForRun(db(), ctx, task)
    : readTaskForRun(db(), ctx, task, usableBy(ctx.actor))
}

async function readSubject(
  person: Actor,
  input: Omit<SubjectQuestion, 'userId'>,
): Promise<Subject> {
  const subject = await withUse(db(), await loadSubject(db(), { userId: person.userId, ...input }))
  const { configuration, apiKey } = subject
  if (!configuration) return subject
  const refused = apiKey && keyRefusesConfiguration(apiKey, configuration)
  const closed =
    (await configurationObstacle(db(), person, configuration.id)) ??
    (refused === null ? null : { part: 'api-key' as const, reason: refused })
  return { ...subject, configuration: { ...configuration, closed } }
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
