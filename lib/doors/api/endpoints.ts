import type { Endpoint } from './endpoint'
import { apiKeyEndpoints } from './nouns/api-keys'
import { approvalEndpoints, approvalRuleEndpoints } from './nouns/approvals'
import { budgetEndpoints, usageEndpoints } from './nouns/budgets'
import { channelEndpoints } from './nouns/channels'
import { configurationEndpoints } from './nouns/configurations'
import { connectionEndpoints } from './nouns/connections'
import { dataSourceEndpoints } from './nouns/data-sources'
import { fileEndpoints } from './nouns/files'
import { groupEndpoints } from './nouns/groups'
import { hostEndpoints } from './nouns/hosts'
import { memoryEndpoints } from './nouns/memory'
import { modelEndpoints } from './nouns/models'
import { programEndpoints } from './nouns/programs'
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
import { workspaceEndpoints } from './nouns/workspaces'

/** Everything that `/api/v1` serves. */
export const endpoints: readonly Endpoint[] = [
  ...runEndpoints,
  ...approvalEndpoints,
  ...approvalRuleEndpoints,
  ...toolEndpoints,
  ...explainEndpoints,
  ...freezeEndpoints,
  ...connectionEndpoints,
  ...modelEndpoints,
  ...configurationEndpoints,
  ...taskEndpoints,
  ...scheduleEndpoints,
  ...skillEndpoints,
  ...fileEndpoints,
  ...budgetEndpoints,
  ...usageEndpoints,
  ...channelEndpoints,
  ...workspaceEndpoints,
  ...groupEndpoints,
  ...hostEndpoints,
  ...programEndpoints,
  ...storageEndpoints,
  ...searchEndpointEndpoints,
  ...dataSourceEndpoints,
  ...siteEndpoints,
  ...serverEndpoints,
  ...memoryEndpoints,
  ...settingEndpoints,
  ...apiKeyEndpoints,
]
