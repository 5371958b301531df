import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { overridesOf } from '@/lib/protocol/run/run-overrides'
import type { Engine } from '@/lib/runs/engine/engine'
import { readRun } from '@/lib/runs/read-run'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

const folder = mkdtempSync(path.join(tmpdir(), 'toolgate-again-'))
let site: RunSite
let other: RunSite
let engine: Engine
let server: ModelServer
let first: string

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
  other = await addRunSite(server.url)
  const input = { maxRounds: 3, tools: ['list_users'], overrides: { temperature: 0.5 } }
  first = (await start(site, '[[say: Hello.]]', input)).runId
  await collect(site.admin, first)
})
afterAll(async () => {
  await engine.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Runs the first run again with these options; returns what it began with. */
async function again(...options: string[]) {
  const as = ['--as', site.admin.actor.email, '--json']
  const { code, stdout, stderr } = await toolgate(['run', '--again', first, ...options, ...as])
  const [, runId] = /"runId":"([0-9a-f-]{36})"/.exec(stdout) ?? []
  if (!runId) return { code, stderr }
  const record = await readRun(site.admin, runId)
  const { start: begun } = foldRun(record.events)
  const overrides = begun && overridesOf(begun.snapshot, begun.overridden)
  return { code, stderr, record, start: begun, overrides }
}

test('options that are left out are as in that run, including its changes', async () => {
  const { code, record, start: begun, overrides } = await again('--effort', 'low')
  expect(code).toBe(0)
  expect(overrides).toEqual({ temperature: 0.5, reasoningEffort: 'low' })
  expect(begun).toMatchObject({ prompt: '[[say: Hello.]]', changedFrom: first })
  expect(begun?.snapshot.maxRounds).toBe(3)
  expect(record).toMatchObject({ tools: ['list_users'], changedFrom: first })
})

test('prompt, system prompt and tools can be others', async () => {
  const file = path.join(folder, 'prompt.txt')
  writeFileSync(file, 'Be kind.\n')
  const given = ['--prompt', '[[say: Bye.]]', '--system-prompt-file', file, '--no-tools']
  const { record, start: begun, overrides } = await again(...given)
  expect(begun?.prompt).toBe('[[say: Bye.]]')
  expect(record?.tools).toEqual([])
  expect(overrides).toEqual({ temperature: 0.5, systemPrompt: 'Be kind.\n' })
})

test('another configuration has none of the changes that were made of the first', async () => {
  const { start: begun, overrides } = await again('--configuration', other.configuration)
  expect(begun?.snapshot.configurationIdentifier).toBe(other.configuration)
  expect(overrides).toBeNull()
})

test('a model is given with its connection where several have it', async () => {
  const { start: mine } = foldRun((await readRun(site.admin, first)).events)
  const [target] = mine?.snapshot.targets ?? []
  const unclear = await again('--model', 'test-model')
  expect([unclear.code, unclear.stderr]).toEqual([
    2,
    expect.stringContaining('Give it as CONNECTION/MODEL'),
  ])
  const none = await again('--model', 'nothing')
  expect(none.stderr).toContain('There is no model nothing')
  const same = await again('--model', `${target?.connectionName}/test-model`)
  expect(same.overrides).toEqual({ temperature: 0.5 })
})
