import { afterEach, expect, test } from 'vitest'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { database, pool } from '@/lib/kernel/db'
import type { Engine } from '@/lib/runs/engine/engine'
import type { InstanceKind } from '@/lib/runs/engine/instances'
import { openEngine } from '@/lib/runs/engine/open-engine'
import { engineTimes } from '@/lib/runs/engine/start-engine'
import { cancelRun } from '@/lib/runs/verbs'
import { childSiteOfFile } from '@/tests/support/child-site'
import { db } from '@/tests/support/fixture-db'
import { onEngine, timersToPause } from '@/tests/support/test-engine'

// A child begins on the server of its run. They part when a server is silent for a while: another one takes over what it has,
// but for a run whose row is being written at that moment.

const { own, admin, seen, endOf, endsWithin, childrenOf, hanging } = childSiteOfFile({
  isElsewhere: true,
})
/** Those of production, but that an engine is dead earlier and need not wait for answers that never come. */
const times = { ...engineTimes, heartbeatMs: 300, deadAfterMs: 2_000, callsMayTakeMs: 300 }
const open: Engine[] = []

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close()
})

/** Opens an engine that has its own host name. */
async function openOn(host: string, kind: InstanceKind = 'server') {
  const { every, pause, resume } = timersToPause()
  const engine = await openEngine({ kind, database: database(), times, host, every })
  open.push(engine)
  return { engine, pause, resume }
}

const ownerOf = async (runId: string) =>
  (await db().run.findUniqueOrThrow({ where: { id: runId } })).instanceId

/** Starts a run whose child hangs, also in the engine that takes it over, while the run stays where it is. */
async function apart() {
  // A terminal takes no run back that it lost.
  const one = await openOn('one', 'cli')
  const both = await onEngine(one.engine, () => hanging(2))
  const two = await openOn('two')
  const connection = await pool().connect()
  await connection.query('BEGIN')
  await connection.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [both.runId])
  one.pause()
  await expect.poll(() => ownerOf(both.childId), { timeout: 10_000 }).toBe(two.engine.instanceId)
  one.resume()
  const id = one.engine.instanceId
  await expect.poll(() => db().instance.count({ where: { id } }), { timeout: 5_000 }).toBe(1)
  await connection.query('ROLLBACK')
  connection.release()
  const answers = () => seen.filter(({ model }) => model === 'model-1').length
  await expect.poll(answers, { timeout: 5_000 }).toBe(2)
  expect(await ownerOf(both.runId)).toBe(id)
  return { ...both, one, two }
}

test('a child whose server dies goes on in another one, and the call of its run gets the one answer', async () => {
  const { runId, childId, one, two } = await apart()
  const three = await openOn('three')
  two.pause()
  const state = await endOf(runId)
  expect(await ownerOf(childId)).toBe(three.engine.instanceId)
  expect(await ownerOf(runId)).toBe(one.engine.instanceId)
  expect(state.rounds[0]?.calls).toMatchObject([
    { childRunId: childId, state: { outcome: { type: 'ok' } } },
  ])
  expect(JSON.stringify(state.rounds[0]?.calls)).toContain('I am model-1.')
  expect(state.end?.reason).toBe('completed')
  expect(await childrenOf(runId)).toHaveLength(1)
  const ends = { type: 'run-end', runId: { in: [runId, childId] } }
  expect(await db().runEventRow.count({ where: ends })).toBe(2)
  expect((await endOf(childId)).end?.reason).toBe('completed')
  expect(seen.filter(({ model }) => model === 'model-1')).toHaveLength(3)
}, 60_000)

test('a stop ends both within 2 s', async () => {
  const both = await apart()
  await cancelRun(admin(), { runId: both.runId })
  expect(await endsWithin(2_000, both)).toEqual(['cancelled', 'cancelled'])
}, 60_000)

test('a freeze ends both within 2 s', async () => {
  const both = await apart()
  await freezeSite(admin(), { reason: 'A leak' })
  const reasons = await endsWithin(2_000, both).finally(() => unfreezeSite(admin(), {}))
  // The server of the child learns of the freeze, or first of the end of its run.
  expect(reasons[0]).toBe('frozen')
  expect(['frozen', 'cancelled']).toContain(reasons[1])
}, 60_000)

test('a right of the run that is taken away ends both within 2.5 s', async () => {
  const both = await apart()
  const where = { identifier: own() }
  await db().configuration.update({ where, data: { enabled: false } })
  const reasons = await endsWithin(2_500, both)
  await db().configuration.update({ where, data: { enabled: true } })
  expect(reasons).toEqual(['revoked', 'cancelled'])
}, 60_000)
