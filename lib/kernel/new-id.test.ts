import { expect, it } from 'vitest'
import { z } from 'zod'
import { newId } from './new-id'

it('makes different ids of version 7, each behind the one before', () => {
  const ids = Array.from({ length: 5_000 }, newId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  expect(ids.every((id) => z.uuidv7().safeParse(id).success)).toBe(true)
})

it('begins with the moment in milliseconds', () => {
  const before = Date.now()
  const ms = Number.parseInt(newId().replace('-', '').slice(0, 12), 16)
  expect(ms).toBeGreaterThanOrEqual(before)
  expect(ms).toBeLessThanOrEqual(Date.now())
})

it('draws other random bits for each id, also beyond its store of them', () => {
  const ends = Array.from({ length: 1_000 }, () => newId().slice(-12))
  expect(new Set(ends).size).toBe(ends.length)
})
