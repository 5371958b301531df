import { expect, test } from 'vitest'
import { z } from 'zod'
import { ValidationError } from './errors'
import { parseInput } from './parse-input'

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

test('what a schema has no words for is said in plain ones', () => {
  const input = { name: '', share: 0, count: 5, mode: 'x', id: '1', flag: 'no', list: ['', ''] }
  expect(fieldsOf({ ...input, more: 1 })).toEqual({
    more: 'Unknown field: more.',
    name: 'This is required.',
    share: 'More than 0.',
    count: 'At least 1,000.',
    mode: 'One of: off, on.',
    id: 'This is not an id.',
    flag: 'Give true or false.',
    list: 'At most 1 entries.',
    own: 'Give it a colour.',
  })
  expect(fieldsOf({ ...input, headers: { Host: 'a' } })).toMatchObject({
    'headers.Host': 'Host: A name begins with x-.',
  })
  expect(fieldsOf({ ...input, name: 'longer', share: '1', count: undefined })).toMatchObject({
    name: 'At most 5 characters.',
    share: 'Give a number.',
    count: 'This is required.',
  })
})

function fieldsOf(input: unknown): unknown {
  try {
    return parseInput(Schema, input)
  } catch (error) {
    return error instanceof ValidationError && error.fields
  }
}
