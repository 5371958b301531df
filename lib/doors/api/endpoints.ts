import { apiKeyEndpoints } from './api-keys'
import { approvalEndpoints, approvalRuleEndpoints } from './approvals'
import { budgetEndpoints, usageEndpoints } from './budgets'
import { channelEndpoints } from './channels'
import { configurationEndpoints } from './configurations'
import { connectionEndpoints } from './connections'
import { dataSourceEndpoints } from './data-sources'
import type { Endpoint } from './endpoint'
import { fileEndpoints } from './files'
import { groupEndpoints } from './groups'
import { hostEndpoints } from './hosts'
import { memoryEndpoints } from './memory'
import { modelEndpoints } from './models'
import { programEndpoints } from './programs'
import { runEndpoints } from './runs'
import { scheduleEndpoints } from './schedules'
import { searchEndpointEndpoints } from './search-endpoints'
import { serverEndpoints } from './servers'
import { freezeEndpoints, settingEndpoints } from './settings'
import { siteEndpoints } from './sites'
import { skillEndpoints } from './skills'
import { storageEndpoints } from './storages'
import { taskEndpoints } from './tasks'
import { explainEndpoints, toolEndpoints } from './tools'
import { workspaceEndpoints } from './workspaces'

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
