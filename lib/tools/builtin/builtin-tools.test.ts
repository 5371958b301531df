import { describe, expect, it } from 'vitest'
import { schemaTokens } from '@/lib/protocol/tool'
import { builtinTools } from './index.generated'

describe('built-in tools', () => {
  it('are sorted by name, and each name is there once', () => {
    const names = builtinTools.map((tool) => tool.name)
    expect(names).toEqual([...new Set(names)].sort())
  })

  it('stand on the defaults the specification gives them', () => {
    const facts = builtinTools.map((tool) => [
      tool.name,
      tool.group,
      tool.enabledByDefault,
      tool.requiresAdmin,
    ])
    expect(facts).toEqual([
      ['fetch_logs', 'system', true, true],
      ['get_env', 'system', true, true],
      ['get_env_raw', 'system', false, true],
      ['get_runtime_info', 'system', true, true],
      ['get_runtime_info_raw', 'system', false, true],
      ['list_groups', 'accounts', true, true],
      ['list_users', 'accounts', true, true],
      ['read_asset_meta', 'assets', true, false],
    ])
    expect(builtinTools.every((tool) => tool.effect === 'read')).toBe(true)
  })

  it.each(builtinTools.map((tool) => [tool.name, tool] as const))(
    '%s tells a model when to use it, in few tokens',
    (_, tool) => {
      expect(tool.description.length).toBeGreaterThan(80)
      expect(schemaTokens(tool)).toBeLessThan(250)
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.parameters).not.toHaveProperty('$schema')
    },
  )
})
