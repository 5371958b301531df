import 'server-only'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { roleWithinKey } from '@/lib/domains/rows/runs-within-key'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { OverrideName } from '@/lib/protocol/run/override-names'
import {
  type Overridable,
  overridableOf,
  overridesOf,
  type RunOverrides,
} from '@/lib/protocol/run/run-overrides'
import { readRun } from '@/lib/runs/read-run'
import { changeableModels } from './overrides'

/** A model that a person may pick for a single run, with its name at its provider. */
type PickableModel = { id: string; name: string; connectionName: string; modelId: string }

/** Overrides that a person may use for a single run of a configuration, and its own values. */
export type Changeable = {
  allowed: OverrideName[]
  /** By connection and name; none unless the model may be changed. */
  models: PickableModel[]
  /** `systemPrompt` is empty unless it may be changed. */
  now: Overridable
  /** The name of the configuration's own model. */
  modelName: string
}

/** Returns what the caller may change for a single run; null = there is no such configuration for them. */
export async function readChangeable(
  ctx: Ctx,
  configuration: string | null,
): Promise<Changeable | null> {
  const snapshot = configuration === null ? null : await find(ctx, configuration)
  if (!snapshot) return null
  const allowed =
    roleWithinKey(ctx) === 'admin' ? [...OverrideName.options] : (snapshot.allowedOverrides ?? [])
  const now = overridableOf(snapshot)
  return {
    allowed,
    models: allowed.includes('model') ? await listRunModels(ctx) : [],
    now: allowed.includes('system-prompt') ? now : { ...now, systemPrompt: '' },
    modelName: snapshot.targets[0]?.modelId ?? '',
  }
}

async function find(ctx: Ctx, configuration: string) {
  try {
    return await readConfiguration(db(), ctx, configuration)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Returns the models that the caller may pick for a single run, by connection and name. */
async function listRunModels(ctx: Ctx): Promise<PickableModel[]> {
  const usable = { enabled: true, connection: { enabled: true } }
  const rows = await db().model.findMany({
    where: { AND: [usable, changeableModels(ctx)] },
    select: { id: true, displayName: true, modelId: true, connection: { select: { name: true } } },
    orderBy: [{ connection: { name: 'asc' } }, { displayName: 'asc' }, { id: 'asc' }],
  })
  return rows.map(({ id, displayName, modelId, connection }) => ({
    id,
    name: displayName,
    modelId,
    connectionName: connection.name,
  }))
}

/**
 * Returns the id of a model by its id, its name at its provider, or both names as CONNECTION/MODEL. Throws ValidationError when
 * there is none for the caller, or several.
 */
export async function findRunModelId(ctx: Ctx, named: string): Promise<string> {
  const models = await listRunModels(ctx)
  const found = models.filter(({ id, modelId, connectionName }) =>
    [id, modelId, `${connectionName}/${modelId}`].includes(named),
  )
  const [model, another] = found
  if (model && !another) return model.id
  throw new ValidationError({
    'overrides.model': model
      ? `Several connections have the model ${named}. Give it as CONNECTION/MODEL.`
      : `There is no model ${named}, it or its connection is switched off, or you may not use it.`,
  })
}

/**
 * Returns what a run of this configuration has otherwise than it. Throws NotFoundError for a run that the caller may not see, or of
 * another configuration.
 */
export async function readRunChanges(
  ctx: Ctx,
  runId: string,
  configurationId: string,
): Promise<RunOverrides | null> {
  const { start } = foldRun((await readRun(ctx, runId)).events)
  if (!start || start.snapshot.configurationId !== configurationId) {
    throw new NotFoundError('This run')
  }
  return overridesOf(start.snapshot, start.overridden)
}
