import { afterEach, expect, test } from 'vitest'
import { childSiteOfFile } from '../support/child-site'
import { db } from '../support/fixture-db'
import { startWorker, stopped, type Worker } from '../support/start-worker'

const { turns, endOf, childrenOf, hanging } = childSiteOfFile({ isElsewhere: true })
const workers: Worker[] = []
afterEach(() => Promise.all(workers.splice(0).map(stopped)))

const startWorkers = async (count: number) =>
  workers.push(...(await Promise.all(Array.from({ length: count }, () => startWorker()))))

test.each([
  ['one server that starts', 0],
  ['two that share what it had', 2],
])(
  'SPEC J4: after kill -9 the outcome of the call is unknown, and what it started is stopped: by %s',
  async (_by, others) => {
    const first = await startWorker()
    const { runId, childId } = await hanging(2)
    await startWorkers(others)
    await stopped(first)
    turns.set('model-0', [{ text: 'I do not know.' }])
    if (others === 0) await startWorkers(1)
    const state = await endOf(runId)
    const [call] = state.rounds[0]?.calls ?? []
    expect(call).toMatchObject({ childRunId: childId, state: { outcome: { type: 'unknown' } } })
    expect(state.end?.reason).toBe('completed')
    expect((await endOf(childId)).end).toMatchObject({
      ...{ reason: 'cancelled', message: 'Stopped by the run that started it.' },
    })
    expect(await childrenOf(runId)).toHaveLength(1)
    const ends = { type: 'run-end', runId: { in: [runId, childId] } }
    expect(await db().runEventRow.count({ where: ends })).toBe(2)
  },
  60_000,
)
