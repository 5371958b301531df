import { expect, test } from 'vitest'
import { z } from 'zod'
import { readParameters } from './read-parameters'

test('reads what zod writes', () => {
  const schema = z.toJSONSchema(
    z
      .object({
        level: z.enum(['info', 'error']).default('info').describe('Least severe level wanted.'),
        limit: z.int().min(1).max(50),
        names: z.array(z.string()).max(3).optional(),
        when: z.string().nullable(),
      })
      .strict(),
    { io: 'input' },
  )
  expect(readParameters(schema)).toEqual([
    {
      name: 'level',
      type: '"info" | "error"',
      required: false,
      limits: 'default "info"',
      description: 'Least severe level wanted.',
    },
    { name: 'limit', type: 'integer', required: true, limits: '1 to 50', description: '' },
    {
      name: 'names',
      type: 'list of string',
      required: false,
      limits: 'at most 3 entries',
      description: '',
    },
    { name: 'when', type: 'string | null', required: true, limits: '', description: '' },
  ])
})

test('an object without properties, and one that is no schema at all, has no rows', () => {
  expect(readParameters({ type: 'object', properties: {} })).toEqual([])
  expect(readParameters({ properties: 'nonsense', required: 3 })).toEqual([])
  expect(readParameters({ properties: { odd: null } })).toMatchObject([
    { name: 'odd', type: 'any' },
  ])
})

test('a limit that is only the largest safe integer is none', () => {
  const schema = z.toJSONSchema(z.object({ count: z.int() }))
  expect(readParameters(schema)[0]?.limits).toBe('')
})
