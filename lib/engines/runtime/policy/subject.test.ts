import { expect, test } from 'vitest'
import { grantedBySkills } from './subject'

const counts = (...allowedTools: string[]) => ({ allowedTools })
const held = (...allowedTools: string[]) => ({ allowedTools, heldBack: true })
const silent = { allowedTools: null }
const granted = (...skills: Parameters<typeof grantedBySkills>[0]) => {
  const names = grantedBySkills(skills)
  return names && [...names]
}

test('a union of what is listed, and no opinion where nothing is', () => {
  expect(granted()).toBeNull()
  expect(granted(silent, { ...silent, heldBack: true })).toBeNull()
  expect(granted(silent, counts('a'), counts('b', 'a'))).toEqual(['a', 'b'])
  expect(granted(counts())).toEqual([])
})

test('a skill that is held back limits tools when no other skill does, and never adds any', () => {
  expect(granted(silent, held('a', 'b'))).toEqual(['a', 'b'])
  expect(granted(counts('a'), held('b'))).toEqual(['a'])
  expect(granted(counts(), held('b'))).toEqual([])
  expect(granted(held('a', 'b'), held('b', 'c'))).toEqual(['b'])
  expect(granted(held('a'), held())).toEqual([])
})
