import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import type { Engine } from '@/lib/runs/engine/engine'
import { readComparison } from '@/lib/runs/lists/compare'
import { readLineage } from '@/lib/runs/lists/lineage'
import type { StartRunInput } from '@/lib/runs/schemas'
import { readChangeable, readRunChanges } from '@/lib/runs/start/changeable'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let site: RunSite
let other: Ctx
let engine: Engine
let server: ModelServer

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
  other = await addPerson('member')
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

async function run(prompt: string, wishes: Partial<StartRunInput> = {}): Promise<string> {
  const { runId } = await start(site, prompt, wishes)
  await collect(site.admin, runId)
  return runId
}

test('a run is compared with the one that it is with a change, or with any other', async () => {
  const first = await run('[[say: It is red.]]')
  const changed = await run('[[say: It is blue.]]', {
    overrides: { temperature: 0.4 },
    changedFrom: first,
  })
  const found = await readComparison(site.admin, changed, null)
  expect(found).toMatchObject({ before: first, after: changed })
  expect(found.answers).toEqual({ before: 'It is red.', after: 'It is blue.' })
  expect(found.sent.map(({ label }) => label)).toEqual(['Prompt', 'Temperature'])
  const third = await run('[[say: It is red.]]')
  expect((await readComparison(site.admin, third, first)).sent).toEqual([])
  const alone = await refusedFields(readComparison(site.admin, third, null))
  expect(alone.other).toContain('Give the run to compare it with')
})

test('other people see neither side of a comparison, nor which runs belong together', async () => {
  const first = await run('One')
  const changed = await run('One', { changedFrom: first })
  for (const [a, b] of [
    [changed, first],
    [changed, null],
    [randomUUID(), first],
  ] as const) {
    await expect(readComparison(other, a, b)).rejects.toThrow(NotFoundError)
  }
  await expect(readComparison(site.admin, changed, randomUUID())).rejects.toThrow(NotFoundError)
  await expect(readLineage(other, first)).rejects.toThrow(NotFoundError)
})

test('both runs name each other, with what was changed', async () => {
  const first = await run('Hello')
  expect(await readLineage(site.admin, first)).toEqual({ from: null, changed: [], more: 0 })
  const ids: string[] = []
  for (let at = 0; at < 7; at++) {
    const changes = { overrides: { temperature: 0.1 * (at + 1) }, changedFrom: first }
    ids.push(await run(`Hello ${at}`, changes))
  }
  const { from, changed, more } = await readLineage(site.admin, first)
  expect([from, more]).toEqual([null, 2])
  expect(changed.map(({ runId }) => runId)).toEqual(ids.toReversed().slice(0, 5))
  expect(changed[0]?.changed).toBe('prompt and temperature')
  expect(await readLineage(site.admin, ids[0] ?? '')).toMatchObject({
    from: { runId: first, title: 'Hello', changed: 'prompt and temperature' },
    changed: [],
  })
})

test('the changes of a run can be put into the form of its configuration alone', async () => {
  const { id } = await findConfiguration(site.admin, site.configuration)
  const changed = await run('Hello', { overrides: { systemPrompt: 'Be kind.', temperature: null } })
  expect(await readRunChanges(site.admin, changed, id)).toEqual({ systemPrompt: 'Be kind.' })
  const elsewhere = readRunChanges(site.admin, changed, randomUUID())
  await expect(elsewhere).rejects.toThrow(NotFoundError)
  expect(await readChangeable(other, site.configuration)).toBeNull()
})
