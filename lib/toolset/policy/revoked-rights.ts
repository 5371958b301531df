import { nothingRevoked, type Revoked } from '@/lib/engines/runtime/policy/subject'
import { keyRefusesConfiguration } from '@/lib/protocol/key-limits'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { PolicyState } from './read-policy-state'

/** Objects on which the rights of a run depend. */
export type RightsOf = Pick<RunSnapshot, 'configurationId' | 'configurationName' | 'task'> & {
  targets: readonly Pick<
    ModelTarget,
    'connectionId' | 'connectionName' | 'modelRecordId' | 'modelId'
  >[]
}

type Now = Pick<
  PolicyState,
  'actor' | 'accessEpoch' | 'apiKey' | 'configuration' | 'connections' | 'models'
>

/**
 * Returns what was taken away of the rights a run began with (SPEC G-R). `run` null = none was begun, so nothing was.
 * `accessEpoch`: what its account had when it began; null = it begins now.
 */
export function revokedRights(now: Now, run: RightsOf | null, accessEpoch: number | null): Revoked {
  if (!run) return nothingRevoked
  const isReset = accessEpoch !== null && accessEpoch !== now.accessEpoch
  return {
    run: revokedFromRun(now, run) ?? refusedByKey(now, run) ?? (isReset ? accessEnded : null),
    targets: run.targets.map((each) => switchedOff(now, each)),
  }
}

const accessEnded =
  'The account that started this run was disabled, or its password was reset, after the start.'

function revokedFromRun({ actor, configuration }: Now, run: RightsOf): string | null {
  const name = run.configurationName
  if (!actor) return 'The account that started this run was disabled or deleted.'
  if (run.configurationId === null) {
    return actor.role === 'admin' ? null : `${actor.email} is no longer an admin.`
  }
  if (!configuration) return `The configuration ${name} was deleted.`
  if (!configuration.enabled) return `The configuration ${name} was switched off.`
  if (actor.role === 'admin' || configuration.isOpenToGroup) return null
  return `${actor.email} may no longer use the configuration ${name}: none of their groups may use it.`
}

function refusedByKey({ apiKey }: Now, run: RightsOf): string | null {
  const { configurationId: id, configurationName: name } = run
  return apiKey && keyRefusesConfiguration(apiKey, { id, name })
}

function switchedOff({ connections, models }: Now, target: RightsOf['targets'][number]) {
  const { connectionName, modelId } = target
  const connection = connections.find(({ id }) => id === target.connectionId)
  if (!connection) return `The connection ${connectionName} was deleted.`
  if (!connection.enabled) return `The connection ${connectionName} was switched off.`
  const model = models.find(({ id }) => id === target.modelRecordId)
  if (!model) return `The model ${modelId} on ${connectionName} was deleted.`
  return model.enabled ? null : `The model ${modelId} on ${connectionName} was switched off.`
}
