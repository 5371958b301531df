import { describe, expect, it } from 'vitest'
import { usageError } from './program'

describe('usageError', () => {
  it('makes one sentence of a suggestion', () => {
    expect(usageError("error: unknown command 'lisst'\n(Did you mean list?)")).toBe(
      'toolgate: unknown command (did you mean list?). See --help.\n',
    )
  })

  it('repeats the name of an unknown option, not its value', () => {
    expect(usageError("error: unknown option '--key=sk-secret'")).toBe(
      "toolgate: unknown option '--key'. See --help.\n",
    )
    expect(usageError("error: unknown option '--key=it's\nsecret'")).toBe(
      "toolgate: unknown option '--key'. See --help.\n",
    )
  })

  it('does not repeat an unknown command', () => {
    expect(usageError("error: unknown command 'sk-ant-0123456789'")).toBe(
      'toolgate: unknown command. See --help.\n',
    )
  })
})
