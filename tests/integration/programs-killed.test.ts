import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { programVerbs } from '@/lib/domains/programs/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { runningWith } from '@/tests/support/running-with'
import { endWorkers, startWorker, stopped } from '@/tests/support/start-worker'
import { workspaceFolder } from '@/tests/support/workspace-folder'

let model: ModelServer
let site: RunSite
let folder: string

beforeAll(async () => {
  model = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(model.url)
  folder = workspaceFolder('command')
  await workspaceVerbs.create(site.admin, { name: 'handbook', folder, writable: true })
  const accepted = 'A machine without a sandbox is tested, too.'
  await programVerbs.create(site.admin, { name: 'sh', path: '/bin/sh', accepted })
  await switchTool(site.admin, { name: 'exec', enabled: true, reason: 'a test' })
  await needsNoApproval('exec')
})
afterEach(endWorkers)
afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a command whose server is killed leaves no process, is not repeated, and has an unknown outcome', async () => {
  const dying = await startWorker()
  // Without a sandbox, what leaves the group of its own accord is not found again.
  const leaves = (await sandboxProblem()) === null ? 'setsid sleep 765 & ' : ''
  const script = `echo x >> times.txt; ${leaves}sleep 765`
  const args = { workspace: 'handbook', program: 'sh', arguments: ['-c', script] }
  const { runId } = await start(
    site,
    `[[call exec ${JSON.stringify(args)}]] [[then]] [[say: done]]`,
  )
  await expect.poll(() => runningWith('sleep 765').length, { timeout: 20_000 }).toBeGreaterThan(0)
  await stopped(dying)
  await expect.poll(() => runningWith('sleep 765').length, { timeout: 20_000 }).toBe(0)
  await startWorker()
  const state = foldRun(await collect(site.admin, runId))
  expect(state.end?.reason).toBe('completed')
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
    type: 'ended',
    outcome: { type: 'unknown' },
  })
  expect(readFileSync(path.join(folder, 'times.txt'), 'utf8')).toBe('x\n')
})
