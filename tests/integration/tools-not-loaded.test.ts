import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { listTools } from '@/lib/toolset/tools/tool-verbs'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'
import { toolgate } from '@/tests/support/toolgate-process'

const good = `export default {
  name: 'pay', description: 'Pays.', enabledByDefault: true, requiresAdmin: false, effect: 'read', dataClass: 'public',
  parameters: { type: 'object', $defs: { Money: { type: 'integer' } },
    properties: { amount: { $ref: '#/$defs/Money', maximum: 100 } }, required: ['amount'] },
  execute: ({ amount }) => ({ content: 'paid ' + amount }),
}`

const folder = mkdtempSync(path.join(tmpdir(), 'tools-'))
let server: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  writeFileSync(path.join(folder, 'a-pay.mjs'), good)
  writeFileSync(path.join(folder, 'broken.mjs'), "export default { name: 'refund', execute: (")
  writeFileSync(path.join(folder, 'copy.mjs'), good)
  setEnv({ TOOLGATE_EXTRA_TOOLS_DIR: folder })
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  engine = await startTestEngine()
})

afterAll(async () => {
  await engine.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

test('the list says why a file is not loaded, and has everything else', async () => {
  const tools = await listTools(site.admin, {})
  expect(tools.length).toBeGreaterThan(8)
  const extra = tools.filter(({ group }) => group === 'extra')
  expect(extra.map(({ name, unavailable }) => [name, unavailable])).toEqual([
    [
      'copy.mjs',
      'Not loaded: copy.mjs calls itself pay, the name of the extra tool a-pay.mjs. Rename it.',
    ],
    ['pay', null],
    ['refund', expect.stringMatching(/^Not loaded: broken\.mjs cannot be loaded: /)],
  ])
})

test('a run works with the others; a call of a tool that is not loaded is refused with the reason', async () => {
  // Earlier decisions of people stay with the name of the tool.
  await db().toolOverride.create({
    data: { toolName: 'refund', enabled: true, changedByLabel: 'test' },
  })
  const calls = '[[call refund {}]] [[call pay {"amount":5000}]] [[call pay {"amount":100}]]'
  const { runId } = await start(site, `${calls} [[then]] [[say: {{offer}}; {{results}}]]`)
  const state = foldRun(await collect(site.admin, runId))
  expect(state.end?.reason).toBe('completed')
  const outcomes = state.rounds[0]?.calls.map((call) => call.state)
  expect(outcomes).toMatchObject([
    {
      outcome: { type: 'denied', gate: 'registered', reason: expect.stringMatching(/^Not loaded/) },
    },
    { outcome: { type: 'invalid-arguments', issues: ['amount: must be at most 100.'] } },
    { outcome: { type: 'ok', content: 'paid 100' } },
  ])
  const [offer, result] = state.rounds[1]?.text.split('; ') ?? []
  expect(offer?.split(', ')).toContain('pay')
  expect(offer).not.toMatch(/refund|copy\.mjs|broken\.mjs/)
  expect(result).toContain('No tool of this name is available.')
  expect(result).not.toMatch(/SyntaxError|broken\.mjs/)
})

test('the doctor names each file and what to do', async () => {
  const { stdout } = await toolgate(['doctor', '--json'], {
    env: { TOOLGATE_EXTRA_TOOLS_DIR: folder, TOOLGATE_URL: 'http://127.0.0.1:9' },
  })
  const { findings } = JSON.parse(stdout)
  const found = findings.filter(({ check }: { check: string }) => check.startsWith('Tool'))
  expect(found).toMatchObject([
    { check: 'Tool refund', status: 'fail', detail: expect.stringContaining('SyntaxError') },
    { check: 'Tool copy.mjs', status: 'fail', detail: expect.stringContaining('Rename it') },
  ])
  const { stdout: whole } = await toolgate(['doctor'], {
    env: { TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools') },
  })
  expect(whole).toMatch(/ok {4}Tools: \d+ built-in and 6 extra tools loaded\./)
})

test('the command line lists it, and works without the folder', async () => {
  const env = { TOOLGATE_EXTRA_TOOLS_DIR: path.join(folder, 'nowhere') }
  const { code, stdout, stderr } = await toolgate(['tools', 'list'], { env })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/nowhere +extra +not available/)
  expect(stdout).toContain('get_env')
})
