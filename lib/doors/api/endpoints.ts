import { verbsOf } from '@/lib/noun-verbs'
import { nounKeys, nouns } from '@/lib/nouns'
import type { NounKey } from '@/lib/protocol/nouns'
import type { Endpoint } from './endpoint'
import { accountEndpoints } from './nouns/accounts'
import { apiKeyEndpoints } from './nouns/api-keys'
import { approvalEndpoints } from './nouns/approvals'
import { channelEndpoints } from './nouns/channels'
import { checkEndpoints } from './nouns/checks'
import { configurationEndpoints } from './nouns/configurations'
import { connectionEndpoints } from './nouns/connections'
import { dataSourceEndpoints } from './nouns/data-sources'
import { fileEndpoints } from './nouns/files'
import { memoryEndpoints } from './nouns/memory'
import { modelEndpoints } from './nouns/models'
import { runEndpoints } from './nouns/runs'
import { scheduleEndpoints } from './nouns/schedules'
import { searchEndpointEndpoints } from './nouns/search-endpoints'
import { serverEndpoints } from './nouns/servers'
import { freezeEndpoints, settingEndpoints } from './nouns/settings'
import { siteEndpoints } from './nouns/sites'
import { skillEndpoints } from './nouns/skills'
import { storageEndpoints } from './nouns/storages'
import { taskEndpoints } from './nouns/tasks'
import { explainEndpoints, toolEndpoints } from './nouns/tools'
import { usageEndpoints } from './nouns/usage'
import { workspaceEndpoints } from './nouns/workspaces'
import { resourceEndpoints } from './resource-endpoints'

/** Endpoints of described nouns behind those that are made of the resource. */
const further: Partial<Record<NounKey, readonly Endpoint[]>> = {
  schedules: scheduleEndpoints,
  channels: channelEndpoints,
  workspaces: workspaceEndpoints,
  storages: storageEndpoints,
  searchEndpoints: searchEndpointEndpoints,
  dataSources: dataSourceEndpoints,
  sites: siteEndpoints,
  servers: serverEndpoints,
}

function endpointsOf(key: NounKey): Endpoint[] {
  return [...resourceEndpoints(nouns[key].resource, verbsOf(key)), ...(further[key] ?? [])]
}

/** The described nouns whose endpoints stand among others. */
const placed: ReadonlySet<NounKey> = new Set(['approvalRules', 'tasks', 'schedules', 'budgets'])

/** Everything that `/api/v1` serves. */
export const endpoints: readonly Endpoint[] = [
  ...runEndpoints,
  ...approvalEndpoints,
  ...endpointsOf('approvalRules'),
  ...toolEndpoints,
  ...explainEndpoints,
  ...freezeEndpoints,
  ...connectionEndpoints,
  ...modelEndpoints,
  ...configurationEndpoints,
  ...taskEndpoints,
  ...endpointsOf('schedules'),
  ...skillEndpoints,
  ...fileEndpoints,
  ...endpointsOf('budgets'),
  ...usageEndpoints,
  ...nounKeys.filter((key) => !placed.has(key)).flatMap(endpointsOf),
  ...checkEndpoints,
  ...memoryEndpoints,
  ...accountEndpoints,
  ...settingEndpoints,
  ...apiKeyEndpoints,
]
