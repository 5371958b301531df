import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import { RunSnapshot, SkillSnapshot } from '@/lib/protocol/run/run-snapshot'
import { listLabel, listMeaning, listWords } from './format'

/** Returns the fields of a schema that are a list or null. */
function nullableLists({ shape }: z.ZodObject): string[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const takes = (value: unknown) => z.safeParse(field as z.ZodType, value).success
    return takes(null) && takes([]) ? [name] : []
  })
}

describe.each([
  ['configuration', ConfigurationForm],
  ['run', RunSnapshot],
  ['skill', SkillSnapshot],
] as const)('%s', (kind, schema) => {
  test.each(nullableLists(schema))('%s has two words', (field) => {
    const meaning = listMeaning(kind, field)
    expect(meaning).not.toBe('other')
    expect(listWords(meaning, null)).not.toBe(listWords(meaning, []))
  })
})

test('a run that had all tools never reads as one that had none', () => {
  const meaning = listMeaning('run', 'tools')
  expect(listWords(meaning, null)).toBe('all tools')
  expect(listWords(meaning, [])).toBe('no tools')
  expect(listLabel(meaning, null)).toBe('All tools')
  expect(listLabel(meaning, ['fetch_logs', 'get_env'])).toBe('fetch_logs, get_env')
})

test('a field of that name in another object means something else', () => {
  expect(listMeaning('user', 'groups')).toBe('other')
  expect(listMeaning('constructor', '__proto__')).toBe('other')
  expect(listWords('other', null)).toBe('not set')
  expect(listWords('other', [])).toBe('none')
})
