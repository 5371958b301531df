import { afterEach, expect, test } from 'vitest'
import { childSiteOfFile } from '@/tests/support/child-site'
import { db } from '@/tests/support/fixture-db'
import { startWorker, stopped, type Worker } from '@/tests/support/start-worker'

const { turns, endOf, childrenOf, hanging } = childSiteOfFile({ isElsewhere: true })
const workers: Worker[] = []
afterEach(() => Promise.all(workers.splice(0).map(stopped)))

const startWorkers = async (count: number) =>
  workers.push(...(await Promise.all(Array.from({ length: count }, () => startWorker()))))

test.each([
  ['one server that starts', 0],
  ['two that share what it had', 2],
])(
  'SPEC J4: after kill -9 the outcome of each call is unknown, and what they started is stopped: by %s',
  async (_by, others) => {
    const first = await startWorker()
    const { runId, childIds } = await hanging(2, 3)
    await startWorkers(others)
    await stopped(first)
    turns.set('model-0', [{ text: 'I do not know.' }])
    if (others === 0) await startWorkers(1)
    const state = await endOf(runId)
    const calls = state.rounds[0]?.calls ?? []
    expect(calls.map(({ childRunId }) => childRunId).sort()).toEqual(childIds.toSorted())
    expect(calls).toMatchObject(Array(3).fill({ state: { outcome: { type: 'unknown' } } }))
    expect(state.end?.reason).toBe('completed')
    for (const childId of childIds) {
      expect((await endOf(childId)).end).toMatchObject({
        reason: 'cancelled',
        message: 'Stopped by the run that started it.',
      })
    }
    expect(await childrenOf(runId)).toHaveLength(3)
    const of = (type: string, runIds: string[]) =>
      db().runEventRow.count({ where: { type, runId: { in: runIds } } })
    expect(await of('run-end', [runId, ...childIds])).toBe(4)
    expect(await of('call-end', [runId])).toBe(3)
  },
  60_000,
)
