import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Identifier, namedBy } from './identifier'
import { identifierOf } from './identifier-of'

test.each([
  ['GPT-5 (fast), für Prüfer', 'gpt-5-fast-fuer-pruefer'],
  ['Zürich', 'zuerich'],
  ['Zu\u0308rich', 'zuerich'],
  [' Rélease notes: v2! ', 'release-notes-v2'],
  ['OpenAI & DeepSeek', 'openai-and-deepseek'],
  ['Отчёт', 'otchyot'],
  ['ﬁne ﬂow', 'fine-flow'],
  ['…', ''],
  ['日本', ''],
])('%j suggests %j', (name, identifier) => {
  expect(identifierOf(name)).toBe(identifier)
})

test('any name suggests a valid identifier or none', () => {
  const names = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.string())
  fc.assert(
    fc.property(names, (name) => {
      const identifier = identifierOf(name)
      if (identifier !== '') expect(Identifier.parse(identifier)).toBe(identifier)
    }),
  )
  expect(identifierOf(`${'a'.repeat(59)} b`)).toBe('a'.repeat(59))
  expect(identifierOf('ß'.repeat(100))).toHaveLength(60)
})

test('a record is named by its id or its identifier', () => {
  const id = '0197a5f4-6b1e-7c1e-8b0a-3c1d5f2e9a10'
  expect(namedBy(id)).toEqual({ id })
  expect(namedBy(' Mini.v2 ')).toEqual({ identifier: 'mini.v2' })
  expect(['', '-a', 'a--b', 'ü', 'a'.repeat(61)].map(namedBy)).toEqual(Array(5).fill(null))
})
