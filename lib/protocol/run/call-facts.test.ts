import { describe, expect, it } from 'vitest'
import { callFact } from './call-facts'

describe('the fact that a run has of one of its calls', () => {
  it.each([
    [{}, null],
    [{ tool: 'get_env' }, 'tool:get_env'],
    [{ outcome: 'failed' }, 'outcome:failed'],
    [{ gate: 'role' }, 'gate:role'],
    [{ tool: 'get_env', outcome: 'timed-out' }, 'outcome:timed-out tool:get_env'],
    [{ tool: 'get_env', gate: 'role' }, 'gate:role tool:get_env'],
    [{ tool: 'get_env', gate: 'role', outcome: 'denied' }, 'gate:role tool:get_env'],
  ] as const)('%j is %s', (call, fact) => {
    expect(callFact(call)).toBe(fact)
  })

  it('is none that a run can have where a call that was not denied should have a gate', () => {
    expect(callFact({ gate: 'role', outcome: 'done' })).toBe('outcome:done gate:role')
  })
})
