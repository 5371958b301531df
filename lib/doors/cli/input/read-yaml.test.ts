import { expect, test } from 'vitest'
import { readYaml } from './read-yaml'

const read = (text: string) => readYaml(Buffer.from(text))

test('YAML and JSON say the same', () => {
  expect(read('a: [1, x]\nb: { c: null }')).toEqual(read('{"a":[1,"x"],"b":{"c":null}}'))
})

test.each([
  ['a: 1\n---\nb: 2', 'more than one YAML document'],
  ['a: &x 1\nb: *x', 'uses an alias'],
  ['a: !!binary eA==', 'not valid YAML'],
  ['a: 1\na: 2', 'not valid YAML'],
])('%j is refused', (text, words) => expect(() => read(text)).toThrow(words))
