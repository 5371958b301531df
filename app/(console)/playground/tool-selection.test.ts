import { describe, expect, it } from 'vitest'
import {
  isPicked,
  type PickableTool,
  pickedNames,
  restorePicked,
  searchTools,
  selectionSize,
  withPicked,
} from './tool-selection'

function tool(name: string, group: string, allowed = true): PickableTool {
  const verdict = allowed
    ? ({ allowed: true } as const)
    : ({ allowed: false, gate: 'enabled', reason: 'Switched off.' } as const)
  return { name, group, description: `Does ${name}.`, schemaTokens: 100, verdict, waits: false }
}

const tools = [tool('a', 'one'), tool('b', 'one'), tool('c', 'two'), tool('off', 'two', false)]

describe('tool selection', () => {
  it('starts with everything the gates allow, and nothing else', () => {
    expect(tools.filter((each) => isPicked(each, null)).map((each) => each.name)).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(selectionSize(tools, null)).toEqual({ picked: 3, allowed: 3, tokens: 300 })
  })

  it('takes tools out and puts them in, one or a group', () => {
    expect(withPicked(tools, null, ['b'], false)).toEqual(['a', 'c', 'off'])
    expect(withPicked(tools, ['c'], ['a', 'b'], true)).toEqual(['a', 'b', 'c'])
    expect(pickedNames(tools, withPicked(tools, null, ['a', 'b', 'c'], false))).toEqual([])
  })

  it('never asks for what may not run, but remembers that it was picked', () => {
    expect(withPicked(tools, [], ['c', 'off'], true)).toEqual(['c'])
    const restored = restorePicked(tools, ['off', 'gone', 'a'])
    expect(restored).toEqual(['a', 'off'])
    expect(pickedNames(tools, restored)).toEqual(['a'])
    expect(pickedNames(tools, null)).toBeNull()
    const allowed = tools.map((each) => ({ ...each, verdict: { allowed: true as const } }))
    expect(pickedNames(allowed, restored)).toEqual(['a', 'off'])
  })

  it('picking none means none', () => {
    expect(selectionSize(tools, [])).toEqual({ picked: 0, allowed: 3, tokens: 0 })
    expect(restorePicked(tools, [])).toEqual([])
  })

  it('finds by every word in name, group or description', () => {
    expect(searchTools(tools, 'two does').map((each) => each.name)).toEqual(['c', 'off'])
    expect(searchTools(tools, ' ')).toHaveLength(4)
  })
})
