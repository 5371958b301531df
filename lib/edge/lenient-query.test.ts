import { expect, test } from 'vitest'
import { z } from 'zod'
import { lenientQuery } from './lenient-query'

const Filter = z.object({
  search: z.string().trim().max(5).optional(),
  state: z.enum(['on', 'off']).optional(),
  page: z.coerce.number().int().min(1).default(1),
})

test('keeps what makes sense and forgets the rest, field by field', () => {
  expect(lenientQuery(Filter, { search: ' log ', state: 'off', page: '3', other: 'x' })).toEqual({
    search: 'log',
    state: 'off',
    page: 3,
  })
  const nonsense = { search: 'much too long', state: ['on'], page: '-1' }
  expect(lenientQuery(Filter, nonsense)).toEqual({ page: 1 })
  expect(lenientQuery(Filter, { search: 'a\0', state: '' })).toEqual({ page: 1 })
})
