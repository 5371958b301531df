import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiKeysScript } from '../support/api-recording/api-keys-script'
import { connectionsScript } from '../support/api-recording/connections-script'
import { dataSourcesScript } from '../support/api-recording/data-sources-script'
import { hostsScript } from '../support/api-recording/hosts-script'
import { memoryScript } from '../support/api-recording/memory-script'
import {
  configurationsScript,
  modelsScript,
  tasksScript,
} from '../support/api-recording/models-script'
import { programsScript } from '../support/api-recording/programs-script'
import {
  type Exchange,
  recordAnswers,
  recordRefusals,
} from '../support/api-recording/record-answers'
import { openRecordedSite, type RecordedSite } from '../support/api-recording/recorded-site'
import { approvalsScript, filesScript, runsScript } from '../support/api-recording/runs-script'
import { searchEndpointsScript } from '../support/api-recording/search-endpoints-script'
import { serversScript } from '../support/api-recording/servers-script'
import {
  budgetsScript,
  channelsScript,
  freezeScript,
  groupsScript,
  rulesScript,
  schedulesScript,
  settingsScript,
  usageScript,
} from '../support/api-recording/site-script'
import { sitesScript } from '../support/api-recording/sites-script'
import { storagesScript } from '../support/api-recording/storages-script'
import { skillsScript, toolsScript } from '../support/api-recording/tools-script'
import { workspacesScript } from '../support/api-recording/workspaces-script'

// After a change of answers that is wanted: `npx vitest run tests/integration/api-recording.test.ts -u`, then read the diff.

/** In this order: what one adds, the next ones use. */
const scripts = {
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
  'api-keys': apiKeysScript,
}

let site: RecordedSite
const recorded = new Map<string, { exchanges: Exchange[]; refusals: string }>()

beforeAll(async () => {
  site = await openRecordedSite()
  for (const [name, script] of Object.entries(scripts)) {
    const exchanges = await recordAnswers(site, script)
    recorded.set(name, { exchanges, refusals: await recordRefusals(site) })
  }
}, 240_000)
afterAll(() => site.close())

test.each(Object.keys(scripts))('%s answer as recorded', async (name) => {
  const { exchanges, refusals } = recorded.get(name) ?? { exchanges: [], refusals: '' }
  const texts = [...exchanges.map(({ text }) => text), refusals]
  const advice = 'If this change is meant, renew the recording: add -u to this command.'
  await expect(`${texts.join('\n\n')}\n`, advice).toMatchFileSnapshot(`__recordings__/${name}.txt`)
})

test('every request that the document lists is among the recorded ones, with success', () => {
  const all = [...recorded.values()].flatMap(({ exchanges }) => exchanges)
  const exchanges = all.filter(({ status }) => status < 300)
  const listed = [
    ...readFileSync('docs/api.md', 'utf8').matchAll(/^\| `([A-Z]+ \/[^`?]*)[^`]*` \| `[a-z-]+:/gm),
  ].map(([, request = '']) => request)
  expect(listed.length).toBeGreaterThan(60)
  const missing = listed.filter((request) => {
    const shape = new RegExp(`^${request.replace(/:\w+/g, '[^/?]+')}($|\\?)`)
    return !exchanges.some(({ ask }) => shape.test(ask))
  })
  expect(missing).toEqual([])
})
