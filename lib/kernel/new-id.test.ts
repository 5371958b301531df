import { validate, version } from 'uuid'
import { expect, it } from 'vitest'
import { newId } from './new-id'

it('makes different ids of version 7, each behind the one before', () => {
  const ids = Array.from({ length: 5_000 }, newId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
})

it('draws other random bits for each id, also beyond its store of them', () => {
  const ends = Array.from({ length: 1_000 }, () => newId().slice(-12))
  expect(new Set(ends).size).toBe(ends.length)
})
