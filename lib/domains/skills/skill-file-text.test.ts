import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSkill } from './parse-skill'
import { skillFileText } from './skill-file-text'

const parse = (text: string) => parseSkill(new TextEncoder().encode(text))

test('the order of keys, comments and quoting make no other text', () => {
  const one = parse('---\nowner: Ada\nname: a # short\nmeta: {b: 1, a: 2}\n---\nBody\n')
  const other = parse('---\nname: "a"\nmeta:\n  a: 2\n  b: 1\nowner: \'Ada\'\n---\nBody\n')
  expect(skillFileText(one)).toBe(skillFileText(other))
  expect(skillFileText(one)).toBe('---\nname: a\nmeta:\n  a: 2\n  b: 1\nowner: Ada\n---\nBody\n')
})

test('what was written is read back as it was, whatever it is', () => {
  const word = fc.string({ maxLength: 20, unit: 'grapheme' })
  const plain = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.array(word))
  const key = fc.stringMatching(/^[a-z][a-z-]{0,9}$/).filter((text) => text !== 'constructor')
  const maps = fc.dictionary(key, plain, { maxKeys: 5, noNullPrototype: true })
  fc.assert(
    fc.property(maps, word, (more, body) => {
      const frontMatter = { ...more, name: 'a', description: 'b', 'allowed-tools': ['c: d'] }
      const file = parse(skillFileText({ frontMatter, body }))
      expect(file.frontMatter).toEqual(frontMatter)
      expect(file.body).toBe(body)
    }),
  )
})
