import { describe, expect, it, test } from 'vitest'
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

  it.each<[string, z.ZodType, string]>([
    ['a record', z.record(z.string(), z.string()), '{"__proto__":"x"}'],
    ['a loose object', z.looseObject({}), '{"__proto__":"x"}'],
    ['an object', z.object({}), '{"__proto__":"x"}'],
  ])('names the prototype as a field that %s does not keep', (_what, schema, text) => {
    expect(fieldsOf(schema, JSON.parse(text))).toEqual(
      Object.fromEntries([['__proto__', 'Unknown field: __proto__.']]),
    )
  })

  it('names the second of two keys that a record takes for one', () => {
    const headers = z.record(
      z.string().transform((name) => name.toLowerCase()),
      z.string(),
    )
    expect(fieldsOf(headers, { 'X-Key': 'a', 'x-key': 'b' })).toEqual({
      'x-key': 'Given twice: x-key.',
    })
  })

  const numbers = Array.from({ length: 100_000 }, (_, at) => at)
  const texts = (deep: number) => {
    let input: unknown = 1
    for (let level = 0; level < deep; level++) input = ['\0', input]
    return input
  }

  it.each<[string, z.ZodType, unknown]>([
    ['unknown fields', z.object({}), Object.fromEntries(numbers.map((at) => [`k${at}`, 1]))],
    ['one field with a long name', z.object({}), { ['x'.repeat(900_000)]: 1 }],
    ['wrong entries', z.array(z.string()), numbers],
    ['unknown fields in a list', z.array(z.object({})), numbers.map((at) => ({ [`k${at}`]: 1 }))],
    ['strictly unknown ones', z.strictObject({}), Object.fromEntries(numbers.entries())],
    ['texts at 90,000 levels', z.unknown(), texts(90_000)],
  ])('answers shortly to %s', (_what, schema, input) => {
    const fields = fieldsOf(schema, input)
    expect(Object.keys(fields).length).toBeGreaterThan(0)
    expect(JSON.stringify(fields).length).toBeLessThan(50 * 500)
    if (Object.keys(fields).length > 1)
      expect(fields['']).toBe('More fields are wrong than can be named here.')
  })

  it('refuses what is nested deeper than the stack', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(fieldsOf(z.json(), deep)).toEqual({ '': 'This is nested too deeply.' })
  })
})

const Schema = z.strictObject({
  name: z.string().min(1).max(5),
  share: z.number().gt(0).max(2),
  count: z.int().min(1_000),
  mode: z.enum(['off', 'on']),
  id: z.uuid(),
  flag: z.boolean(),
  list: z.array(z.string()).max(1),
  own: z.string('Give it a colour.'),
  headers: z.record(z.string().regex(/^x-/, 'A name begins with x-.'), z.string()).default({}),
})

test('errors that a schema has no words for get plain ones', () => {
  const input = { name: '', share: 0, count: 5, mode: 'x', id: '1', flag: 'no', list: ['', ''] }
  expect(fieldsOfSchema({ ...input, more: 1 })).toEqual({
    more: 'Unknown field: more.',
    name: 'This is required.',
    share: 'More than 0.',
    count: 'At least 1\u202f000.',
    mode: 'One of: off, on.',
    id: 'This is not an id.',
    flag: 'Give true or false.',
    list: 'At most 1 entries.',
    own: 'Give it a colour.',
  })
  expect(fieldsOfSchema({ ...input, headers: { Host: 'a' } })).toMatchObject({
    'headers.Host': 'Host: A name begins with x-.',
  })
  expect(fieldsOfSchema({ ...input, name: 'longer', share: '1', count: undefined })).toMatchObject({
    name: 'At most 5 characters.',
    share: 'Give a number.',
    count: 'This is required.',
  })
})

function fieldsOfSchema(input: unknown): unknown {
  try {
    return parseInput(Schema, input)
  } catch (error) {
    return error instanceof ValidationError && error.fields
  }
}
