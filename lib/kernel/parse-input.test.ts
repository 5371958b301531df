import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ValidationError } from './errors'
import { parseInput } from './parse-input'

function fieldsOf(schema: z.ZodType, input: unknown): Record<string, string> {
  try {
    parseInput(schema, input)
  } catch (error) {
    if (error instanceof ValidationError) return error.fields
  }
  return {}
}

describe('parseInput', () => {
  it('gives the first sentence about each field', () => {
    const schema = z.object({ name: z.string().min(2, 'Longer.').regex(/b/, 'With b.') })
    expect(fieldsOf(schema, { name: 'a' })).toEqual({ name: 'Longer.' })
    expect(fieldsOf(z.string('A text.'), 3)).toEqual({ '': 'A text.' })
  })

  it.each(['a\0b', '\ud83d', '\udc00\ud800'])('refuses %j wherever it stands', (text) => {
    const schema = z.object({ name: z.string(), tools: z.array(z.string()), more: z.unknown() })
    const input = { name: text, tools: ['a', text], more: { deep: [text], [text]: 1 } }
    expect(Object.keys(fieldsOf(schema, input)).toSorted()).toEqual([
      'more',
      'more.deep.0',
      'name',
      'tools.1',
    ])
    expect(Object.keys(fieldsOf(z.string(), text))).toEqual([''])
  })

  it('keeps whole pairs and controls that can be stored', () => {
    expect(parseInput(z.string(), '😀\u0001\n\u202e')).toBe('😀\u0001\n\u202e')
  })

  it('takes what the schema cleans by itself', () => {
    const cleaned = z.string().transform((text) => text.replaceAll('\0', ''))
    expect(parseInput(cleaned, 'a\0b')).toBe('ab')
  })

  it('looks into deep input without overflowing', () => {
    let deep: unknown = '\0'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const schema = z.custom<unknown>()
    expect(Object.keys(fieldsOf(schema, deep))).toHaveLength(1)
  })
})
