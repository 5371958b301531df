import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { viewPanel } from '@/lib/protocol/panel/panel'
import { initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import { PanelFacts } from './panel-facts'

const stored = Date.parse('2026-01-01T10:00:00Z')

/** Returns a member that began and ended so many seconds after the panel was stored. */
function member(began: number, ended: number): RunState {
  const startedAt = stored + began * 1_000
  const end = {
    reason: 'completed' as const,
    notStarted: false,
    truncated: false,
    message: '',
    failure: null,
    usage: emptyUsage,
    costMicroUsd: 0,
    wallTimeMs: (ended - began) * 1_000,
    at: stored + ended * 1_000,
  }
  return { ...initialRunState, startedAt, end }
}

function timeOf(...states: RunState[]): string | null | undefined {
  const start = { members: [], tools: [], hops: 0, costCap: null, memberCostCap: null }
  const view = viewPanel(start, states)
  render(<PanelFacts start={start} view={view} since={view.startedAt ?? stored} />)
  return screen.getByText('Time').nextSibling?.textContent
}

it('the time of a panel goes from the start of its first member, also one that began before it was stored, to the end of its last', () => {
  expect(timeOf(member(-2, 3), member(-1, 6))).toBe('8.00 s')
})
