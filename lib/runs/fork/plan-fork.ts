import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import { usableBy } from '@/lib/domains/configurations/usable'
import { roleWithinKey } from '@/lib/domains/rows/runs-within-key'
import { readTaskForRun, type TaskForRun } from '@/lib/domains/tasks/runnable'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { keptRaise, type ModelTarget } from '@/lib/protocol/model/model-target'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import type { OverrideName } from '@/lib/protocol/run/override-names'
import type { CopiedRounds } from '@/lib/protocol/run/run-event'
import { changedNames, overridableOf } from '@/lib/protocol/run/run-overrides'
import type { RunSnapshot, SkillSnapshot } from '@/lib/protocol/run/run-snapshot'
import { refuseHigherLimit, refuseUnlisted, requireModel } from '@/lib/runs/start/overrides'
import type { RunDraft } from '@/lib/runs/start/run-draft'
import type { ForkOfRun } from './copied-rounds'

/**
 * Returns the draft with what the models were sent in the run that it goes on from, and the rights of the configuration of now. Throws
 * ForbiddenError for overrides that a member may no longer make, and ValidationError for a model that is gone.
 */
export async function keepSentParts(draft: RunDraft): Promise<RunDraft> {
  const { fork } = draft.input
  const then = fork?.state.start
  if (!fork || !then) return draft
  if (!fork.keepsConfiguration) return withTargetsOf(draft, fork, then.snapshot.targets)
  const overridden = changedNames(overridableOf(draft.snapshot), overridableOf(then.snapshot))
  const taskNow = await readTaskNow(draft, then.snapshot)
  const isMember = roleWithinKey(draft.ctx) !== 'admin'
  if (isMember) refuseChangedSince(draft.snapshot, then.snapshot, { overridden, taskNow })
  const targets = await readTargets(draft, then.snapshot)
  const { systemPrompt, parameters, options, skills, task, toolMode, costCaps } = then.snapshot
  const own = costCaps.filter(({ scope }) => scope === 'run')
  const snapshot: RunSnapshot = {
    ...draft.snapshot,
    systemPrompt,
    parameters,
    ...(options && { options }),
    skills,
    task,
    toolMode,
    targets,
    costCaps: [...draft.snapshot.costCaps, ...(taskNow?.costCaps ?? []), ...own],
    raisedDataClass: keptRaise(draft.snapshot.raisedDataClass, {
      before: draft.snapshot.targets,
      after: targets,
    }),
  }
  if (isMember) refuseHigherLimit(draft.snapshot, snapshot)
  return withTargetsOf({ ...draft, snapshot, overridden }, fork, then.snapshot.targets)
}

/** Returns the task of then as it is now; null = it had none. Throws ValidationError when the caller may not run it any more. */
async function readTaskNow(
  { client, ctx }: RunDraft,
  { task }: RunSnapshot,
): Promise<TaskForRun | null> {
  if (!task) return null
  try {
    return await readTaskForRun(client, ctx, task.taskId, usableBy(ctx.actor))
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    throw new ValidationError({
      configuration: `The task ${task.name} is gone, switched off, or not yours to run. Pick a configuration to go on without it.`,
    })
  }
}

type Since = { overridden: readonly OverrideName[]; taskNow: TaskForRun | null }

/**
 * Refuses a member who would be sent more of an older configuration than members may change for a single run: what an admin has
 * changed since holds for them.
 */
function refuseChangedSince(
  now: RunSnapshot,
  then: RunSnapshot,
  { overridden, taskNow }: Since,
): void {
  refuseUnlisted(now, overridden)
  const known = [...now.skills, ...(taskNow?.skills ?? [])]
  const isSame =
    isDeepStrictEqual(checksums(then.skills), checksums(known)) &&
    isDeepStrictEqual(settingsOf(then), settingsOf(now)) &&
    (overridden.includes('model') || isDeepStrictEqual(modelsOf(then), modelsOf(now)))
  if (isSame) return
  throw new ValidationError({
    configuration: `${now.configurationName} was changed since this run. Pick it as the configuration to use it as it is now.`,
  })
}

function checksums(skills: readonly SkillSnapshot[]): string[] {
  return [...new Set(skills.map(({ skillId, checksum }) => `${skillId} ${checksum}`))].toSorted()
}

function modelsOf({ targets }: RunSnapshot): string[] {
  return targets.map(({ modelRecordId }) => modelRecordId)
}

/** Returns the settings of requests that nobody changes for a single run. */
function settingsOf({ parameters, options, toolMode }: RunSnapshot): object {
  const { temperature: _t, reasoningEffort: _r, maxOutputTokens: _m, ...fixed } = parameters
  const { outputSchema: _schema, ...rest } = options ?? defaultOptions
  return { fixed, rest, toolMode }
}

/** Returns the models of then with their prices and trust zones of now. */
async function readTargets(draft: RunDraft, then: RunSnapshot): Promise<RunSnapshot['targets']> {
  const { client, ctx, snapshot, createdAt } = draft
  const read = async ({ modelRecordId, modelId, connectionId, wire }: ModelTarget) => {
    const known = snapshot.targets.find((target) => target.modelRecordId === modelRecordId)
    const costs = {
      snapshot: { ...snapshot, options: then.options ?? defaultOptions },
      at: createdAt,
    }
    const now = known ?? (await requireModel(client, ctx, modelRecordId, costs))
    const isSame = now.modelId === modelId && now.connectionId === connectionId && now.wire === wire
    if (isSame) return now
    throw new ValidationError({
      configuration: `${modelId} was changed since: it has another provider, API type or model name. Pick a configuration.`,
    })
  }
  const [first, ...others] = then.targets
  if (!first) throw new Error('A run has a model.')
  const targets: RunSnapshot['targets'] = [await read(first)]
  for (const target of others) targets.push(await read(target))
  return targets
}

/**
 * Returns the draft with the numbers of its models in the copied rounds. A round of a model that it does not have counts as one of its first
 * model, which does not get that provider's own parts of it.
 */
function withTargetsOf(draft: RunDraft, fork: ForkOfRun, then: readonly ModelTarget[]): RunDraft {
  const places = then.map(({ connectionId, wire, modelId }) =>
    draft.snapshot.targets.findIndex(
      (target) =>
        target.connectionId === connectionId && target.wire === wire && target.modelId === modelId,
    ),
  )
  const placeOf = (target: number) => Math.max(0, places[target] ?? 0)
  const events = fork.copied.events.map(({ at, body }) =>
    body.type === 'round-start' || body.type === 'message'
      ? { at, body: { ...body, data: { ...body.data, target: placeOf(body.data.target) } } }
      : { at, body },
  ) as CopiedRounds['events']
  const nativeRounds = fork.state.rounds.flatMap(({ round, response }) =>
    response && (places[response.target] ?? -1) >= 0 && !isChanged(fork, round) ? [round] : [],
  )
  const copied = { ...fork.copied, events }
  return { ...draft, input: { ...draft.input, fork: { ...fork, copied, nativeRounds } } }
}

/** Returns whether the arguments of a call of this round were edited: the provider's own form of it has the old ones. */
function isChanged({ copied }: ForkOfRun, round: number): boolean {
  return copied.edits.some((edit) => edit.round === round && edit.what !== 'result')
}
