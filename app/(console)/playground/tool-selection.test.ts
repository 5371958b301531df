import { describe, expect, it } from 'vitest'
import {
  isPicked,
  type PickableTool,
  restorePicked,
  searchTools,
  selectionTax,
  withPicked,
} from './tool-selection'

function tool(name: string, group: string, allowed = true): PickableTool {
  const verdict = allowed
    ? ({ allowed: true } as const)
    : ({ allowed: false, gate: 'enabled', reason: 'Switched off.' } as const)
  return { name, group, description: `Does ${name}.`, schemaTokens: 100, verdict }
}

const tools = [tool('a', 'one'), tool('b', 'one'), tool('c', 'two'), tool('off', 'two', false)]

describe('tool selection', () => {
  it('starts with everything the gates allow, and nothing else', () => {
    expect(tools.filter((each) => isPicked(each, null)).map((each) => each.name)).toEqual([
      'a',
      'b',
      'c',
    ])
    expect(selectionTax(tools, null)).toEqual({ picked: 3, allowed: 3, tokens: 300 })
  })

  it('takes tools out and puts them in, one or a group', () => {
    expect(withPicked(tools, null, ['b'], false)).toEqual(['a', 'c'])
    expect(withPicked(tools, ['c'], ['a', 'b'], true)).toEqual(['a', 'b', 'c'])
    expect(withPicked(tools, null, ['a', 'b', 'c'], false)).toEqual([])
  })

  it('never picks what may not run, even when asked to or remembered', () => {
    expect(withPicked(tools, [], ['c', 'off'], true)).toEqual(['c'])
    expect(restorePicked(tools, ['off', 'gone', 'a'])).toEqual(['a'])
  })

  it('picking none means none', () => {
    expect(selectionTax(tools, [])).toEqual({ picked: 0, allowed: 3, tokens: 0 })
    expect(restorePicked(tools, [])).toEqual([])
  })

  it('finds by every word in name, group or description', () => {
    expect(searchTools(tools, 'two does').map((each) => each.name)).toEqual(['c', 'off'])
    expect(searchTools(tools, ' ')).toHaveLength(4)
  })
})
