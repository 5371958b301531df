import { describe, expect, it } from 'vitest'
import { knownPrograms } from './shared/known-programs'
import { strongerRules } from './suggested-rules'

const stored = { name: 'tar', first: null, subcommands: '-tf', refused: '-I' }

describe('rules that Toolgate would make stronger today', () => {
  it('are named with what they lack, and keep what an admin added', () => {
    const rules = strongerRules({ ...stored, first: '--warning=none', refused: '-I --verbose' })
    expect(rules?.weakness).toMatch(
      /^Toolgate suggests stronger rules now: with these, tar does not always get --force-local .*; it does not refuse --to-command .* -M /,
    )
    expect(rules?.rules.first).toMatch(/^--force-local .* --warning=none$/)
    expect(rules?.rules.refused).toMatch(/^-I --verbose --to-command /)
    expect(rules?.rules.subcommands).toBe('-tf')
  })

  it('include first arguments beyond those that are suggested', () => {
    const rules = strongerRules({ ...stored, subcommands: '-tf -cf' })
    expect(rules?.weakness).toContain('accepts more first arguments')
    expect(rules?.rules.subcommands).toBe('-tf')
    expect(strongerRules({ ...stored, subcommands: null })?.rules.subcommands).toContain('-xzf')
  })

  it('are none where they are suggested ones, stronger, or of a program that an admin named otherwise', () => {
    for (const known of knownPrograms) expect(strongerRules(known), known.name).toBe(null)
    const { rules } = strongerRules(stored) ?? { rules: {} }
    expect(strongerRules({ ...stored, ...rules })).toBe(null)
    expect(strongerRules({ ...stored, name: 'archive' })).toBe(null)
  })
})
