import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { admin, runSnapshot } from '@/tests/support/run-fixture'
import type { LiveListener } from './live-hub'
import type { FollowPort } from './use-run-events'
import { useRunsEvents } from './use-runs-events'

const startOf = (runId: string): RunEvent => ({
  ...{ runId, seq: 1, at: 0, type: 'run-start' },
  data: {
    ...{ prompt: 'Who?', actor: admin, snapshot: runSnapshot() },
    ...{ accepted: [], rejected: [], nonce: '', canary: '' },
  },
})

const endOf = (runId: string): RunEvent => ({
  ...{ runId, seq: 2, at: 5, type: 'cancel-requested' },
  data: { by: 'ada@example.org', reason: '' },
})

/** Returns a stream on which a test speaks to those that follow. */
function openStream() {
  const followed = new Map<string, LiveListener>()
  const port: FollowPort = {
    follow: (runId, _place, listener) => {
      followed.set(runId, listener)
      return () => void followed.delete(runId)
    },
    nextFrame: (then) => {
      then()
      return () => undefined
    },
    whileShown: (show) => {
      show()
      return () => undefined
    },
  }
  return { followed, port }
}

it('follows each run that goes on, and changes only the state of the run that has news', () => {
  const { followed, port } = openStream()
  const first = new Map(['a', 'b'].map((runId) => [runId, foldRun([startOf(runId)])]))
  const { result, rerender, unmount } = renderHook(({ initial }) => useRunsEvents(initial, port), {
    initialProps: { initial: first },
  })
  expect([...followed.keys()]).toEqual(['a', 'b'])
  act(() => followed.get('a')?.onState('live'))
  act(() => followed.get('a')?.onUpdate(JSON.stringify(endOf('a')), '2'))
  expect(result.current.connection).toBe('live')
  expect(result.current.states.get('a')?.cancelRequested?.by).toBe('ada@example.org')
  expect(result.current.states.get('b')).toBe(first.get('b'))
  // The page is rendered again after a choice: what came meanwhile stays.
  rerender({ initial: new Map(first) })
  expect(result.current.states.get('a')?.cancelRequested?.by).toBe('ada@example.org')
  act(() => followed.get('b')?.onState('reconnecting'))
  expect(result.current.connection).toBe('reconnecting')
  const before = followed.get('b')
  rerender({ initial: new Map(first).set('c', foldRun([startOf('c')])) })
  expect([...followed.keys()]).toEqual(['a', 'b', 'c'])
  expect(followed.get('b')).toBe(before)
  expect(result.current.states.get('a')?.cancelRequested?.by).toBe('ada@example.org')
  act(() => followed.get('c')?.onUpdate(JSON.stringify(endOf('c')), '2'))
  expect(result.current.states.get('c')?.cancelRequested?.by).toBe('ada@example.org')
  unmount()
  expect(followed.size).toBe(0)
})
