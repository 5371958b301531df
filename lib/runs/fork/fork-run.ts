import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { ToolSource } from '@/lib/protocol/run/fork'
import { runningEngine } from '@/lib/runs/engine/engine'
import { readRun } from '@/lib/runs/read-run'
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
  const { events, status, source } = original
  const start = events[0]?.type === 'run-start' ? events[0].data : null
  if (!start || source === 'try' || start.snapshot.configurationId === null)
    throw new ValidationError({
      runId: 'A run that tries a tool or a model cannot be gone on from.',
    })
  if (start.parent || start.panelId)
    throw new ValidationError({
      runId: 'A run of a panel, or one that another run started, cannot be gone on from.',
    })
  if (status !== 'ended')
    throw new ConflictError('The run has not ended. Wait for its end, or stop it, and try again.')
  const by = { round, edit, by: ctx.actor.email }
  const { copied, state } = copyRounds({ runId, events }, by)
  const isContent = edit !== null && edit.type !== 'prompt'
  const editors = new Set([
    ...(start.fork?.editors ?? []),
    ...(isContent ? [ctx.actor.userId] : []),
  ])
  const given = { configuration: start.snapshot.configurationId, prompt: start.prompt }
  return {
    fork: {
      facts: { runId, round, sources, editors: [...editors] },
      copied,
      state,
      keepsConfiguration: configuration === null,
      edit,
      nativeRounds: [],
    },
    run: RunFields.parse({
      ...given,
      ...(configuration !== null && { configuration }),
      ...(edit?.type === 'prompt' && { prompt: edit.text }),
      continues: start.continues ?? null,
      tools: tools === undefined ? original.tools : tools,
      files: (start.files ?? []).map(({ id, dataClass }) => ({ id, dataClass })),
      maxRounds: configuration === null ? start.snapshot.maxRounds : null,
      changedFrom: runId,
      idempotencyKey,
    }),
  }
}
