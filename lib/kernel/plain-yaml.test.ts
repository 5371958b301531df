import { expect, test } from 'vitest'
import { parsePlainYaml } from './plain-yaml'

const parse = (text: string) => parsePlainYaml(text, { subject: 'The file' })

/** Returns distinct parts, to about this many characters. */
function filled(part: (index: number) => string, length = 900_000): string {
  const parts: string[] = []
  for (let size = 0, index = 0; size < length; index++) {
    const text = part(index)
    parts.push(text)
    size += text.length
  }
  return parts.join('')
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

test('reads what JSON can say', () => {
  expect(parse('a: 1\nb: [x, "2", null]\nc: { d: true }')).toEqual({
    a: 1,
    b: ['x', '2', null],
    c: { d: true },
  })
})

test.each([
  ['names in lines', filled((index) => `key${index}: 1\n`)],
  ['names in braces', `a: {${filled((index) => `key${index}: 1,`)}}`],
  ['names in braces in a list', `- {${filled((index) => `key${index},`)}}`],
  ['names that begin with ?', filled((index) => `? key${index}\n`)],
])('refuses too many %s', (_, text) => {
  expect(() => parse(text)).toThrow('The file has a map with more than 200 keys.')
})

test.each([
  ['lines', `a:\n${filled(() => '- x\n')}`],
  ['brackets', `a: [${filled(() => 'x,')}]`],
])('refuses too many items in %s', (_, text) => {
  expect(() => parse(text)).toThrow('The file has a list of more than 5\u202f000 items.')
})

test.each([
  ['lists in lists', `a:\n${filled(() => `- [${'x,'.repeat(4_000)}]\n`)}`],
  ['comments', filled(() => '#\n')],
])('refuses too much of %s', (_, text) => {
  expect(() => parse(text)).toThrow('The file is too large')
})

test.each([
  ['lists', filled(() => '- ')],
  ['brackets', filled(() => '[')],
  ['names', filled(() => '? ')],
])('refuses %s in one another', (_, text) => {
  expect(() => parse(text)).toThrow('The file is nested deeper than 16 levels.')
})

test('takes 200 names, and 5,000 items of as many', () => {
  const names = numbers(200).map((index) => `k${index}: 1`)
  expect(Object.keys(parse(names.join('\n')))).toHaveLength(200)
  expect(Object.keys(parse(`a: {${names.join(', ')}}`).a ?? {})).toHaveLength(200)
  expect(
    parse(
      `a:\n${numbers(5_000)
        .map((index) => `- { n: ${index} }`)
        .join('\n')}\n`,
    ).a,
  ).toHaveLength(5_000)
})

test('names the line of a key that stands twice', () => {
  expect(() => parse('a: 1\nb: 2\na: 3')).toThrow('cannot be read at line 3')
})

test.each([
  ['an anchor', 'a: 1\nb: |\n  x\n  y\nc: &x 1', 5],
  ['a tag', 'a: 1\n\nb: !x 1', 3],
  ['a directive', '# one\n%YAML 1.1\n---\na: 1', 2],
  ['a refused key', 'a: 1\nb:\n  c: 2\n  constructor: 3', 4],
  ['a control character', 'a: 1\nb:\n  - x\n  - "\\0"', 4],
  ['a number that is not exact', 'a: 1\nb: 12345678901234567890', 2],
  ['a second document', 'a: 1\n---\nb: 2', 2],
  ['what is too deep', `a: 1\nb: ${'['.repeat(20)}`, 2],
])('names the line of %s, counted from the beginning of its file', (_, text, line) => {
  expect(() => parse(text)).toThrow(`See line ${line} of the file.`)
  const options = { subject: 'The front matter', firstLine: 2 }
  expect(() => parsePlainYaml(text, options)).toThrow(`See line ${line + 1} of the file.`)
})

test.each([
  ['a: 1\nb: Use this: it works', 2],
  ['a: 1\nb: Use\n  this: it works\nc: 1', 2],
  ['a:\n  - b: c: d', 2],
  ['a: { b: c: d }', 1],
  ['a: Use this:', 1],
])('says of %j to put the value in quotes', (text, line) => {
  expect(() => parse(text)).toThrow(
    `cannot be read at line ${line} of the file: a value without quotes contains ": ". Put the whole value in quotes`,
  )
})

test.each(['a: "x" y: z', 'a: "x', 'a: @x', 'a: 1\nb'])('gives no such advice for %j', (text) => {
  expect(() => parse(text)).toThrow('cannot be read at line')
  expect(() => parse(text)).not.toThrow('in quotes')
})

test('takes 16 levels and no more, and what ends with "..."', () => {
  const nested = (levels: number, inner: string) =>
    `a: ${'['.repeat(levels - 1)}${inner}${']'.repeat(levels - 1)}`
  expect(parse(nested(16, 'x')).a).toHaveLength(1)
  for (const inner of ['x', '', '{ b: 1 }']) {
    expect(() => parse(nested(17, inner))).toThrow('nested deeper than 16 levels')
  }
  expect(parse('a: 1\n...\n')).toEqual({ a: 1 })
})

test.each([
  ['a: &x 1', 'uses an anchor'],
  ['- \x1f\n- &x 1', 'uses an anchor'],
  ['a: *x', 'uses an alias'],
  ['&x a: 1', 'uses an anchor'],
  ['a: ! 1', 'uses a tag'],
  ['%TAG ! tag:example.com,2026:\n---\na: 1', 'has a %directive'],
])('refuses %j before it means anything', (text, words) => {
  expect(() => parse(text)).toThrow(words)
})

test('marks inside of a text are text', () => {
  expect(parse('a: "&x"\nb: |\n  *x\n  %y\nc: >-\n  !z\nd: x &y *z !a')).toEqual({
    a: '&x',
    b: '*x\n%y\n',
    c: '!z',
    d: 'x &y *z !a',
  })
})
