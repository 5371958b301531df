import { apiKeysScript } from './api-keys-script'
import { checksScript } from './checks-script'
import { connectionsScript } from './connections-script'
import { dataSourcesScript } from './data-sources-script'
import { hostsScript } from './hosts-script'
import { memoryScript } from './memory-script'
import { configurationsScript, modelsScript, tasksScript } from './models-script'
import { programsScript } from './programs-script'
import { approvalsScript, filesScript, runsScript } from './runs-script'
import { searchEndpointsScript } from './search-endpoints-script'
import { serversScript } from './servers-script'
import {
  budgetsScript,
  channelsScript,
  freezeScript,
  groupsScript,
  rulesScript,
  schedulesScript,
  settingsScript,
  usageScript,
} from './site-script'
import { sitesScript } from './sites-script'
import type { Step } from './steps'
import { storagesScript } from './storages-script'
import { skillsScript, toolsScript } from './tools-script'
import { workspacesScript } from './workspaces-script'

/** Requests to every address of the API, in this order: what one adds, the next ones use. */
export const scripts: Readonly<Record<string, Step[]>> = {
  connections: connectionsScript,
  models: modelsScript,
  configurations: configurationsScript,
  tasks: tasksScript,
  skills: skillsScript,
  tools: toolsScript,
  'approval-rules': rulesScript,
  budgets: budgetsScript,
  settings: settingsScript,
  files: filesScript,
  runs: runsScript,
  approvals: approvalsScript,
  usage: usageScript,
  freeze: freezeScript,
  schedules: schedulesScript,
  channels: channelsScript,
  workspaces: workspacesScript,
  sites: sitesScript,
  groups: groupsScript,
  hosts: hostsScript,
  programs: programsScript,
  'search-endpoints': searchEndpointsScript,
  'data-sources': dataSourcesScript,
  storages: storagesScript,
  servers: serversScript,
  memory: memoryScript,
  checks: checksScript,
  'api-keys': apiKeysScript,
}
