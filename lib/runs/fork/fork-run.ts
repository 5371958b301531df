import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { ToolSource } from '@/lib/protocol/run/fork'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import { runningEngine } from '@/lib/runs/engine/engine'
import { type RunRecord, readRun } from '@/lib/runs/read-run'
import { type CheckedRunInput, RunFields, RunId } from '@/lib/runs/schemas'
import { beginRun } from '@/lib/runs/start/start-run'
import { knownNames } from '@/lib/toolset/policy/known-names'
import { unknownName } from '@/lib/words/nearest-name'
import { copyRounds, ForkEdit, type ForkOfRun } from './copied-rounds'

/**
 * Round to go on from, and the change: at most one of `edit`, `configuration` and `tools`. `sources`: tools whose results are not those
 * of the run that it goes on from.
 */
export const ForkFields = z.strictObject({
  runId: RunId,
  round: z.int().min(1, 'Rounds begin with 1.'),
  edit: ForkEdit.nullable().default(null),
  /** Id or identifier of another configuration; null = that of the run. */
  configuration: z.string().trim().min(1).max(100).nullable().default(null),
  /** The tools that it may be offered; left out = those of the run, null = all. */
  tools: RunFields.shape.tools.removeDefault().optional(),
  sources: z
    .record(z.string().min(1).max(200), ToolSource)
    .refine((sources) => Object.keys(sources).length <= 500, 'At most 500 tools.')
    .default({}),
  idempotencyKey: RunFields.shape.idempotencyKey,
})
type ForkInput = z.output<typeof ForkFields>

/**
 * Starts a run that goes on from a round of another one, whose rounds it has without sending or calling anything again (SPEC C2).
 * Its rights are those of the caller, as at any start. Throws NotFoundError for a run that the caller may not see, and ValidationError for
 * what nothing can go on from.
 */
export const forkRun = verb({
  name: 'run.fork',
  role: 'member',
  scope: 'runs:write',
  moreScopes: ['runs:read'],
  summary: 'Starts a run that goes on from a round of another one, with at most one change.',
  input: ForkFields,
  output: z.object({ runId: z.string(), created: z.boolean() }),
  transaction: false,
  audits: ['run.start'],
  run: async ({ ctx }, input) => {
    refuseSeveralChanges(input)
    await refuseUnknownTools(Object.keys(input.sources))
    const { fork, run } = await readFork(ctx, input)
    return beginRun(ctx, { ...run, fork }, runningEngine())
  },
})

function refuseSeveralChanges({ edit, configuration, tools }: ForkInput): void {
  const changes = [edit !== null, configuration !== null, tools !== undefined]
  if (changes.filter(Boolean).length <= 1) return
  throw new ValidationError({
    edit: 'Change one thing: an edit, the configuration or the tools. Go on from the new run for the next change.',
  })
}

async function refuseUnknownTools(names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const { tools } = await knownNames(db())
  const unknown = names.find((name) => !tools.has(name))
  if (unknown !== undefined)
    throw new ValidationError({ sources: unknownName('tool', unknown, tools) })
}

/** Reads the run to go on from. */
async function readFork(
  ctx: Ctx,
  { runId, round, edit, configuration, tools, sources, idempotencyKey }: ForkInput,
): Promise<{ fork: ForkOfRun; run: CheckedRunInput }> {
  const original = await readRun(ctx, runId)
  const { events } = original
  const start = events[0]?.type === 'run-start' ? events[0].data : null
  const obstacle = forkObstacle(ctx, { ...original, start })
  if (!start || obstacle !== null) throw new ConflictError(obstacle ?? noBeginning)
  const by = ctx.actor.email
  const { copied, state } = copyRounds({ runId, events }, { round, edit, by })
  requireSource({ copied, edit, sources })
  const writes = (edit !== null && edit.type !== 'prompt') || hasFixed(sources)
  const { editors = [], configurationId, maxRounds } = start.snapshot
  return {
    fork: {
      facts: { runId, round, sources },
      copied,
      state,
      keepsConfiguration: configuration === null,
      edit,
      editors: writes ? [...editors, ctx.actor.userId] : editors,
      nativeRounds: [],
    },
    run: RunFields.parse({
      configuration: configuration ?? configurationId,
      prompt: edit?.type === 'prompt' ? edit.text : start.prompt,
      continues: start.continues ?? null,
      tools: tools === undefined ? original.tools : tools,
      files: (start.files ?? []).map(({ id, dataClass }) => ({ id, dataClass })),
      maxRounds: configuration === null ? maxRounds : null,
      changedFrom: runId,
      idempotencyKey,
    }),
  }
}

const noBeginning = 'The journal of the run has no beginning.'

type Original = Pick<RunRecord, 'status' | 'source' | 'userId'> & {
  start: RunEventOf<'run-start'>['data'] | null
}

/** Returns why nothing can go on from a run that the caller sees, as a sentence; null = it can. */
export function forkObstacle(ctx: Ctx, { start, status, source, userId }: Original): string | null {
  if (!start) return noBeginning
  if (status !== 'ended')
    return 'The run has not ended. Wait for its end, or stop it, and try again.'
  if (source === 'try' || start.snapshot.configurationId === null)
    return 'The run tries a tool or a model, and nothing goes on from it.'
  if (start.judges) return 'It judged a run of a check. Go on from that run instead.'
  if (start.panelId) return 'The run belongs to a panel, whose other runs are not copied.'
  if (start.parent) return 'Another run started it. Go on from that run instead.'
  if (start.continues && userId !== ctx.actor.userId)
    return 'It continues a conversation of another person, who alone can go on from it.'
  return null
}

/** Throws ValidationError for an edited call that nothing would answer: there is no result of it with these arguments. */
function requireSource({
  copied,
  edit,
  sources,
}: Pick<ForkOfRun, 'copied' | 'edit'> & Pick<ForkInput, 'sources'>): void {
  if (edit?.type !== 'arguments') return
  const calls = copied.events.flatMap(({ body }) =>
    body.type === 'message' ? body.data.toolCalls : [],
  )
  const { name = '' } = calls.find(({ callId }) => callId === edit.callId) ?? {}
  if (sources[name]) return
  throw new ValidationError({
    sources: `The changed call of ${name} has no recorded result. Say where its result comes from: live, fixed or refused.`,
  })
}

function hasFixed(sources: ForkInput['sources']): boolean {
  return Object.values(sources).some(({ type }) => type === 'fixed')
}
