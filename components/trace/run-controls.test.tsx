import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import type { ActionResult } from '@/lib/next/action'
import { RunControlsProvider, useRunControls } from './run-controls'

function controls(answer: () => Promise<ActionResult<undefined>>) {
  const stopRun = vi.fn(answer)
  const decideCostCap = vi.fn(answer)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <RunControlsProvider value={{ stopRun, decideCostCap }}>{children}</RunControlsProvider>
  )
  const { current } = renderHook(() => useRunControls('r1'), { wrapper }).result
  if (!current) throw new Error('expected controls')
  return { ...current, stopRun, decideCostCap }
}

test('sends what the reader asks for about this run, and has nothing to tell when it is done', async () => {
  const { stop, chooseCostCap, stopRun, decideCostCap } = controls(async () => ({
    ok: true,
    value: undefined,
  }))
  expect(await stop()).toBeNull()
  expect(stopRun).toHaveBeenCalledWith({
    runId: 'r1',
    reason: 'A user stopped the run in the console.',
  })
  expect(await chooseCostCap('warn')).toBeNull()
  expect(decideCostCap).toHaveBeenCalledWith({ runId: 'r1', choice: 'warn' })
})

test('tells why nothing changed: the server refused, or did not answer', async () => {
  const error = { code: 'conflict', message: 'The run has ended.' }
  const refused = controls(async () => ({ ok: false, error }))
  expect(await refused.stop()).toBe('The run has ended.')
  const away = controls(async () => {
    throw new TypeError('Failed to fetch')
  })
  expect(await away.stop()).toContain('The run continues.')
  expect(await away.chooseCostCap('ignore')).toContain('The run continues as before.')
})

test('without actions a run is only looked at', () => {
  expect(renderHook(() => useRunControls('r1')).result.current).toBeNull()
})
