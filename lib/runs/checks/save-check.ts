import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { detailOf, requireCheck } from '@/lib/domains/checks/reads'
import { CheckDetail, CheckFields, checkLimits } from '@/lib/domains/checks/schemas'
import { factsOf, groupIdsOf, requirePossible, unlessTaken } from '@/lib/domains/checks/verbs'
import { requireJudges } from '@/lib/domains/configurations/judge-models'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { changed, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { authorId, type Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import { proposeAssertions } from '@/lib/protocol/check/propose-assertions'
import { overridesOf, RunOverrides } from '@/lib/protocol/run/run-overrides'
import { type RunRecord, readRun } from '@/lib/runs/read-run'
import { RunId } from '@/lib/runs/schemas'
import { type CopiedRun, copyRun } from './copy-run'

/** Assertions that are left out are those that the run proposes; `passes` that is left out is all tries. */
const SaveCheck = z.object({
  runId: RunId,
  name: CheckFields.shape.name,
  description: CheckFields.shape.description.default(''),
  assertions: CheckFields.shape.assertions.optional(),
  tries: CheckFields.shape.tries.default(1),
  passes: CheckFields.shape.passes.optional(),
  groups: CheckFields.shape.groups.default([]),
  suites: CheckFields.shape.suites.default([]),
})

/**
 * Saves a copy of a run that ended as a check (SPEC C3). Whoever may see the run may save it. Throws NotFoundError for a run that the
 * caller may not see, and ConflictError for one that cannot be run again by itself.
 */
export const saveCheck = verb({
  name: 'check.save',
  role: 'member',
  scope: 'checks:write',
  moreScopes: ['runs:read'],
  summary: 'Saves a run that ended as a check: a copy with its recorded results, without secrets.',
  input: SaveCheck,
  output: CheckDetail,
  transaction: 'later',
  run: async ({ ctx, change }, { runId, groups, ...given }) => {
    const run = await readRun(ctx, runId)
    const copied = copyRun(run)
    const { tries, passes = tries, assertions: wanted = proposed(copied) } = given
    requirePossible({ tries, passes })
    const inputs = await inputsOf(ctx, run, copied)
    const judged = {
      configurationId: copied.start.snapshot.configurationId,
      overrides: overridesOf(copied.start.snapshot, copied.start.overridden),
      assertions: wanted,
      before: [],
    }
    const assertions = await requireJudges(db(), ctx, judged)
    return change(async (tx) => {
      if ((await tx.check.count()) >= checkLimits.checks)
        throw new ConflictError(
          `There are ${checkLimits.checks} checks, the maximum. Delete one to save another.`,
        )
      const groupIds = await groupIdsOf(tx, ctx, groups)
      const data: Prisma.CheckUncheckedCreateInput = {
        id: newId(),
        name: given.name,
        description: given.description,
        suites: given.suites,
        tries,
        passes,
        assertions: JSON.stringify(assertions),
        runId,
        ...inputs,
        createdById: authorId(ctx),
        createdByLabel: ctx.actor.email,
        groups: { create: groupIds.map((groupId) => ({ groupId })) },
        files: { create: filesOf(copied) },
      }
      const { id } = await unlessTaken(() => tx.check.create({ data, select: { id: true } }))
      const saved = await requireCheck(tx, ctx, id)
      const after = { ...factsOf(saved), run: runId, recordings: copied.recordings.length }
      return changed(detailOf(ctx, saved), { subject: id, before: null, after })
    })
  },
})

function proposed({ state }: CopiedRun) {
  const assertions = proposeAssertions(state)
  if (assertions.length > 0) return assertions
  throw new ConflictError('This run proposes nothing to assert. Give the assertions.')
}

function filesOf({ start: { files = [] } }: CopiedRun) {
  return files.map(({ id, dataClass }, position) => ({ fileId: id, dataClass, position }))
}

/** Returns the columns that runs of the check begin with. What the configuration says by itself is left to it. */
async function inputsOf(
  ctx: Ctx,
  run: Pick<RunRecord, 'tools' | 'userId'>,
  { start, prompt, recordings, leftOut }: CopiedRun,
) {
  const { snapshot, overridden } = start
  const now = await snapshotNow(db(), ctx, snapshot.configurationId)
  const outputSchema = snapshot.options?.outputSchema ?? null
  const cap = snapshot.costCaps.find(({ scope }) => scope === 'run')
  const overrides = overridesOf(snapshot, overridden)
  const system = overrides?.systemPrompt
  const words = system === undefined ? undefined : redactText(system, { hashes: true })
  if (!RunOverrides.shape.systemPrompt.safeParse(words).success)
    throw new ValidationError({
      runId: 'The changed system prompt is too long without its secrets.',
    })
  return {
    configurationId: snapshot.configurationId,
    configurationName: snapshot.configurationName,
    taskId: snapshot.task?.taskId ?? null,
    hadTask: snapshot.task !== null,
    prompt,
    tools: run.tools ?? Prisma.JsonNull,
    maxRounds: snapshot.maxRounds === now?.maxRounds ? null : snapshot.maxRounds,
    overrides: overrides
      ? { ...overrides, ...(words !== undefined && { systemPrompt: words }) }
      : Prisma.JsonNull,
    outputSchema:
      outputSchema === null || isDeepStrictEqual(outputSchema, now?.options?.outputSchema)
        ? null
        : JSON.stringify(outputSchema),
    costCap: cap ? { mode: cap.mode, limitMicroUsd: cap.limitMicroUsd } : Prisma.JsonNull,
    recordings,
    leftOut: [
      ...leftOut,
      ...(words === system ? [] : ['Secrets in the changed system prompt were removed.']),
    ],
    starters: [...new Set([...(snapshot.starters ?? []), run.userId])],
    editors: snapshot.editors ?? [],
  }
}

/** Returns the configuration as it is now; null = the caller may not use it, or it is gone. */
async function snapshotNow(client: Tx, ctx: Ctx, configurationId: string | null) {
  try {
    return configurationId === null ? null : await readConfiguration(client, ctx, configurationId)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}
