import { afterAll, expect, test } from 'vitest'
import { childSiteOfFile } from '../support/child-site'
import { startWorker, stopped, type Worker } from '../support/start-worker'

const { turns, endOf, hanging } = childSiteOfFile({ isElsewhere: true })
const workers: Worker[] = []
afterAll(() => Promise.all(workers.map(stopped)))

test('SPEC J4: after kill -9 the outcome of the call is unknown, and what it started is stopped', async () => {
  const first = await startWorker()
  workers.push(first)
  const { runId, childId } = await hanging()
  await stopped(first)
  turns.set('model-0', [{ text: 'I do not know.' }])
  workers.push(await startWorker())
  const state = await endOf(runId)
  const [call] = state.rounds[0]?.calls ?? []
  expect(call).toMatchObject({ childRunId: childId, state: { outcome: { type: 'unknown' } } })
  expect(state.end?.reason).toBe('completed')
  expect((await endOf(childId)).end).toMatchObject({
    ...{ reason: 'cancelled', message: 'Stopped by the run that started it.' },
  })
}, 60_000)
