import { expect, test } from 'vitest'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { CostCap } from '@/lib/protocol/cost/money'
import {
  modelTarget,
  openSubject,
  runFixture,
  runInput,
  runSnapshot,
  subjectConfiguration,
  testTool,
  toolMap,
} from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { capsUnder, childTools, type ParentOfRun, startedByOf, withParent } from './child-plan'

const tools = toolMap(
  testTool('look'),
  testTool('logs', { dataClass: 'diagnostics' }),
  testTool('spawn', { startsRuns: true, effect: 'write' }),
  testTool('exec', { effect: 'write' }),
)

/** Returns a run that has called `logs`, as it starts another one. */
async function parentWith(subject: Partial<Subject> = {}, costCaps: CostCap[] = []) {
  const run = runFixture({
    script: [asks(['logs', {}]), says('Done.')],
    tools: [...tools.values()],
  })
  const snapshot = runSnapshot({ costCaps, targets: [modelTarget({ trustZone: 'local' })] })
  const state = await runAgent(runInput({ snapshot }), run.deps)
  const configuration = subjectConfiguration()
  const known = { ...openSubject, configuration, ...subject }
  const ids = {
    runId: 'run-1',
    callId: 'call-1',
    accessEpoch: 3,
    freezes: 0,
    heldMicroUsd: 0,
    sharers: 1,
  }
  return { ...ids, state, earlier: [], tools, subject: known } satisfies ParentOfRun
}

const local = runSnapshot({ targets: [modelTarget({ trustZone: 'local' })] })

test('SPEC G-X: it has what its run may use now, less what starts runs and what skills limit by arguments', async () => {
  expect(childTools(await parentWith(), null)).toEqual(['exec', 'logs', 'look'])
  expect(childTools(await parentWith(), ['look'])).toEqual(['look'])
  expect(childTools(await parentWith(), [])).toEqual([])
  const off = { enabled: false, reason: '', changedBy: 'Ada', changedAt: 0 }
  const switched = await parentWith({ overrides: new Map([['logs', off]]) })
  expect(childTools(switched, null)).toEqual(['exec', 'look'])
  const granted = new Set(['look', 'logs', 'exec(git *)'])
  const configuration = subjectConfiguration({ grantedBySkills: granted })
  expect(childTools(await parentWith({ configuration }), null)).toEqual(['logs', 'look'])
  for (const name of ['spawn', 'nothing_such'])
    expect(() => childTools(switched, [name])).toThrow(
      `The run may not have ${name}. It may have: exec, look.`,
    )
})

test('SPEC G-X: four eyes, untrusted reads and the time of a run hold for the one that it starts', async () => {
  const configuration = subjectConfiguration({ id: 'first', afterUntrusted: 'ask' })
  const parent = await parentWith({ configuration, fourEyes: true, untrustedReads: ['web'] })
  const lenient = { ...local, afterUntrusted: 'allow' as const, timeLimitMs: 86_400_000 }
  expect(withParent(lenient, parent)).toMatchObject({
    fourEyes: true,
    afterUntrusted: 'ask',
    timeLimitMs: 600_000,
    startsNoRuns: 'run',
    startedFrom: 'first',
  })
  const strict = { ...local, afterUntrusted: 'refuse' as const, timeLimitMs: 1_000 }
  expect(withParent(strict, parent)).toMatchObject({ afterUntrusted: 'refuse', timeLimitMs: 1_000 })
  expect(startedByOf(parent)).toEqual({ runId: 'run-1', callId: 'call-1', untrusted: true })
  expect(startedByOf(await parentWith())).toEqual({ runId: 'run-1', callId: 'call-1' })
})

test('SPEC G7: no model of the chain may get less than the run has read', async () => {
  const parent = await parentWith()
  expect(() => withParent(local, parent)).not.toThrow()
  const far = modelTarget({ trustZone: 'external-eu', connectionName: 'Far' })
  const chain = { ...local, targets: [...local.targets, far] }
  expect(() => withParent(chain, parent)).toThrow(/read diagnostics data \(logs\), and Far \(ext/)
  expect(() => withParent({ ...chain, raisedDataClass: 'diagnostics' }, parent)).not.toThrow()
})

test('SPEC M4: its caps are its own, and what those of the run have left', async () => {
  const own: CostCap = { scope: 'configuration', mode: 'warn', limitMicroUsd: 9 }
  const cap: CostCap = { scope: 'run', mode: 'enforce', limitMicroUsd: 1_000 }
  const { state, ...parent } = await parentWith({}, [cap])
  const under = (childrenMicroUsd: number | null) =>
    capsUnder({ ...local, costCaps: [own] }, { ...parent, state: { ...state, childrenMicroUsd } })
  expect(under(60)).toEqual([own, { scope: 'parent', mode: 'enforce', limitMicroUsd: 700 }])
  for (const spent of [760, 9_000, null])
    expect(() => under(spent)).toThrow('leaves nothing for another one')
})

test('SPEC M4: those that start together share what an enforced cap leaves beside those that work', async () => {
  const cap: CostCap = { scope: 'run', mode: 'enforce', limitMicroUsd: 1_000 }
  const own: CostCap = { scope: 'configuration', mode: 'warn', limitMicroUsd: 1_000 }
  const parent = await parentWith({}, [cap, own])
  const left = 1_000 - (parent.state.costMicroUsd ?? 0)
  const under = (heldMicroUsd: number, sharers: number) =>
    capsUnder({ ...local, costCaps: [] }, { ...parent, heldMicroUsd, sharers }).map(
      ({ limitMicroUsd }) => limitMicroUsd,
    )
  expect(under(0, 3)).toEqual([Math.floor(left / 3), left])
  expect(under(left - 10, 1)).toEqual([10, left])
  for (const [held, sharers] of [
    [left, 1],
    [left - 2, 3],
    [9_000, 1],
  ] as const)
    expect(() => under(held, sharers)).toThrow('for another one until one of those that work has')
})
