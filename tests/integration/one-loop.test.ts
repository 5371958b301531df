import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { startEngine } from '@/lib/runs/engine/start-engine'
import { channels } from '@/lib/runs/journal/notifications'
import { type ApprovalSite, openApprovalSite } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { collect, start } from '@/tests/support/run-site'
import { quickTimes } from '@/tests/support/test-engine'

let site: ApprovalSite
let engine: Engine

beforeAll(async () => {
  site = await openApprovalSite()
  engine = await startEngine('server', quickTimes)
})

afterAll(async () => {
  await engine.close()
  await site.close()
})

const ownerOf = async (runId: string) =>
  (await db().run.findUniqueOrThrow({ where: { id: runId } })).instanceId

test('a run is worked on by one loop although others took this process for dead, and it takes the run back', async () => {
  const prompt = '[[call slow_read {"ms":3000}]] [[then]] [[say: read]]'
  const { runId } = await start(site, prompt)
  await collect(site.admin, runId, { until: (event) => event.type === 'call-start' })
  await db().run.update({ where: { id: runId }, data: { instanceId: null } })
  engine.notifications.notifyLocally(channels.work, runId)
  await expect.poll(() => ownerOf(runId)).toBe(engine.instanceId)
  const events = await collect(site.admin, runId)
  expect(events.filter((event) => event.type === 'call-start')).toHaveLength(1)
  const state = foldRun(events)
  expect(state.end?.reason).toBe('completed')
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'ok' } })
})
