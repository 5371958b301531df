import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@/lib/domains/settings/verbs'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { readRun } from '@/lib/runs/read-run'
import { type ApprovalSite, openApprovalSite } from '@/tests/support/approval-site'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, start } from '@/tests/support/run-site'

let server: ModelServer
/** Has the tools of the tests, and an engine that works on the runs of all. */
let site: ApprovalSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await openApprovalSite()
  await site.startEngine()
})

afterAll(async () => {
  await site.close()
  await server.close()
})

test.each<[ModelTarget['wire'], string]>([
  ['openai', '/v1/responses'],
  ['anthropic', '/v1/messages'],
  ['ollama', '/api/chat'],
  ['openai-compatible', '/v1/chat/completions'],
])('over %s a run works several rounds with parallel calls', async (wire, path) => {
  const own = await addRunSite(server.url, wire)
  const prompt = [
    `Over ${wire} [[say: I look at both sides.]]`,
    '[[call slow_read {"ms":300,"label":"left side"}]] [[call slow_read {"ms":300,"label":"right side"}]]',
    '[[then]] [[call list_users {}]]',
    '[[then]] [[say: Both sides were read.]]',
  ].join(' ')
  const { runId } = await start(own, prompt)
  const events = await collect(own.admin, runId)

  const state = foldRun(events)
  expect(state.end).toMatchObject({ reason: 'completed', truncated: false })
  expect(state.rounds.map(({ calls }) => calls.length)).toEqual([2, 1, 0])
  expect(state.rounds.at(0)?.text).toBe('I look at both sides.')
  expect(state.rounds.at(-1)?.text).toBe('Both sides were read.')
  expect(state.rounds.flatMap(({ calls }) => calls).map((call) => call.state)).toMatchObject(
    Array(3).fill({ outcome: { type: 'ok' } }),
  )
  const steps = events.map(({ type }) => type).filter((type) => /^call-(start|end)$/.test(type))
  expect(steps.slice(0, 4)).toEqual(['call-start', 'call-start', 'call-end', 'call-end'])
  expect(events.filter(({ type }) => type === 'run-end')).toHaveLength(1)

  const requests = server.requests.filter((request) => request.prompt === prompt)
  expect(requests.map((request) => request.path)).toEqual([path, path, path])
  expect(requests[0]?.offered).toContain('slow_read')
  expect(requests[0]?.offered).toEqual(requests[0]?.offered.toSorted())
  expect(requests[1]?.results.map((result) => /left|right/.exec(result)?.[0])).toEqual([
    'left',
    'right',
  ])
  expect(requests[2]?.results).toHaveLength(3)
})

test('the round limit executes what was asked for and closes without tools', async () => {
  const prompt = 'Limited [[always]] [[call slow_read {"ms":0,"label":"once"}]]'
  const limited = await addRunSite(server.url)
  const { runId } = await start(limited, prompt, { maxRounds: 1 })
  const state = foldRun(await collect(limited.admin, runId))
  expect(state.end).toMatchObject({ reason: 'max-rounds', truncated: true })
  expect(state.rounds[0]?.calls.map((call) => call.state)).toMatchObject([
    { outcome: { type: 'ok' } },
  ])
  expect(state.rounds).toHaveLength(2)
  const requests = server.requests.filter((request) => request.prompt === prompt)
  expect(requests.map(({ body }) => 'tools' in body)).toEqual([true, false])
})

test('a run makes as many rounds as the site allows, and no more', async () => {
  const reads = Array.from({ length: 53 }, (_, n) => `[[call slow_read {"ms":0,"label":"${n}"}]]`)
  const prompt = `Long ${reads.join(' [[then]] ')} [[then]] [[say: All were read.]]`
  const long = await addRunSite(server.url)
  const run = async () => {
    const { runId } = await start(long, prompt, { maxRounds: 190 })
    return foldRun(await collect(long.admin, runId))
  }
  const usual = await run()
  expect(usual.start?.snapshot.maxRounds).toBe(50)
  expect(usual.end?.reason).toBe('max-rounds')
  await updateSettings(long.admin, { maxRounds: 54 })
  const more = await run()
  expect(more.start?.snapshot.maxRounds).toBe(54)
  expect(more.end?.reason).toBe('completed')
  expect(more.rounds).toHaveLength(54)
  await updateSettings(long.admin, { maxRounds: 2 })
  expect((await run()).rounds).toHaveLength(3)
  await updateSettings(long.admin, { maxRounds: 50 })
})

test('no call of an answer that hits the output limit runs', async () => {
  const { runId } = await start(
    site,
    '[[say: Half an answer]] [[call slow_read {"ms":0,"label":"no"}]] [[finish length]]',
  )
  const state = foldRun(await collect(site.admin, runId))
  expect(state.end).toMatchObject({ reason: 'length' })
  expect(state.rounds[0]?.text).toContain('Half an answer')
  const { events } = await readRun(site.admin, runId)
  expect(events.filter(({ type }) => type === 'call-start')).toEqual([])
})

test('only picked tools are offered; another one is refused by the gate of picks', async () => {
  const { runId } = await start(
    site,
    '[[call big_result {"kilobytes":1}]] [[then]] [[say: Offered: {{offer}}.]]',
    { tools: ['slow_read'] },
  )
  const state = foldRun(await collect(site.admin, runId))
  expect(state.rounds.at(-1)?.text).toBe('Offered: slow_read.')
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
    outcome: { type: 'denied', gate: 'selection' },
  })
})
