import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ValidationError } from '@/lib/kernel/errors'
import { parseSkill, skillFileText } from './skill-file'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const parse = (text: string) => parseSkill(bytesOf(text))
const withKeys = (yaml: string, body = 'Do it well.\n') =>
  `---\nname: a-skill\n${yaml}\n---\n${body}`

describe('what a SKILL.md says', () => {
  test('name, description, tools, unknown keys and body', () => {
    const text = withKeys(
      'description: Reads logs\nallowed-tools: [fetch_logs, get_env, fetch_logs]\nlicense: MIT\nmetadata:\n  since: 2\n  tags: [a, b]',
    )
    expect(parse(text)).toEqual({
      name: 'a-skill',
      description: 'Reads logs',
      allowedTools: ['fetch_logs', 'get_env'],
      frontMatter: {
        name: 'a-skill',
        description: 'Reads logs',
        'allowed-tools': ['fetch_logs', 'get_env', 'fetch_logs'],
        license: 'MIT',
        metadata: { since: 2, tags: ['a', 'b'] },
      },
      body: 'Do it well.\n',
      checksum: createHash('sha256').update(text).digest('hex'),
      bytes: text.length,
    })
  })

  test.each([
    ['', null],
    ['allowed-tools: []', []],
    ['allowed-tools: ""', []],
    ['allowed-tools: fetch_logs, get_env get_env', ['fetch_logs', 'get_env']],
    ['allowed-tools:\n  - fetch_logs\n  - no_such_tool', ['fetch_logs', 'no_such_tool']],
    ['allowed_tools: [fetch_logs]', ['fetch_logs']],
    ['Allowed-Tools: [fetch_logs]', ['fetch_logs']],
    ['allowedTools: [fetch_logs]', ['fetch_logs']],
    ['"allowed tools": [fetch_logs]', ['fetch_logs']],
    ['alowed-tools: fetch_logs', ['fetch_logs']],
    ['allowed-tool: fetch_logs', ['fetch_logs']],
    ['allowd_tolls: fetch_logs', ['fetch_logs']],
    ['disallowed-tools: [fetch_logs]', null],
    ['allowed-hosts: [a]', null],
    ['tools: [a]', null],
    ['allowed-tools: Bash(git add *), Read', ['Bash(git add *)', 'Read']],
    ['allowed-tools: Bash(git add *) Read', ['Bash(git add *)', 'Read']],
    ['allowed-tools: Read,Bash(a, b),Bash(c (d, e) f)', ['Read', 'Bash(a, b)', 'Bash(c (d, e) f)']],
    ['allowed-tools: [Bash(git add *), Read]', ['Bash(git add *)', 'Read']],
    ['allowed-tools: [Bash(a, b), Read]', ['Bash(a, b)', 'Read']],
    ['allowed-tools:\n  - Bash(git add *)\n  - "Bash(a, b)"', ['Bash(git add *)', 'Bash(a, b)']],
  ])('tools of %j', (yaml, tools) => {
    expect(parse(withKeys(yaml)).allowedTools).toEqual(tools)
  })

  test('line ends, a byte order mark and control characters do not change what it says', () => {
    const { body, description } = parse(
      '\uFEFF---\r\nname: a\r\ndescription: b\x07c\r\n---\r\nx\x1b[2J\r\ny',
    )
    expect({ body, description }).toEqual({ body: 'x[2J\ny', description: 'bc' })
  })

  test('a body of 256 KiB', () => {
    expect(parse(withKeys('', 'a'.repeat(256 * 1024))).body).toHaveLength(256 * 1024)
  })

  test('front matter alone is a skill, and a later --- belongs to the body', () => {
    expect(parse('---\nname: a\n---').body).toBe('')
    expect(parse('---\nname: a\n---\nx\n---\ny').body).toBe('x\n---\ny')
  })
})

describe('what is refused', () => {
  test.each([
    ['no front matter', '# Hello', 'does not start with front matter'],
    ['TOML', '+++\nname = "a"\n+++\n', 'does not start with front matter'],
    ['JavaScript', '---js\n{ name: process.exit() }\n---\n', 'names a language (js)'],
    ['JSON', '---json\n{"name":"a"}\n---\n', 'names a language (json)'],
    ['CoffeeScript', '--- coffee\nname: "a"\n---\n', 'names a language (coffee)'],
    ['no end', '---\nname: a\n', 'does not end'],
    ['no name', '---\ndescription: a\n---\n', 'has no name'],
    ['a name that is a path', '---\nname: ../etc\n---\n', 'lower-case letters'],
    ['a long name', `---\nname: ${'a'.repeat(65)}\n---\n`, 'at most 64 characters'],
    ['a name that is no text', '---\nname: [a]\n---\n', 'not text'],
    ['front matter that is a list', '---\n- name\n---\n', 'has no keys'],
    ['an anchor and its alias', withKeys('a: &x [1]\nb: *x'), 'front matter uses an'],
    ['an anchor alone', withKeys('a: &x 1'), 'uses an anchor'],
    ['a tag', withKeys('a: !!js/function "x"'), 'uses a tag'],
    ['a harmless tag', withKeys('a: !!str 1'), 'uses a tag'],
    ['a merge key', withKeys('<<: { a: 1 }'), 'may not have the key <<'],
    ['a key given twice', withKeys('a: 1\na: 2'), 'must be unique'],
    ['the name given twice', withKeys('name: other'), 'must be unique'],
    ['__proto__', withKeys('__proto__: { admin: true }'), 'the key __proto__'],
    ['__proto__ further in', withKeys('a: { __proto__: { b: 1 } }'), 'the key __proto__'],
    ['constructor', withKeys('constructor: 1'), 'the key constructor'],
    ['a key that is a list', withKeys('? [a]\n: b'), 'must be strings'],
    ['a directive', '---\n%YAML 1.1\nname: a\n---\n', 'directive'],
    ['two documents', withKeys('a: 1\n...\nb: 2'), 'more than one YAML document'],
    ['half a string', withKeys('a: "x'), 'cannot be read at line 4'],
    ['a control character', withKeys('a: "x\\0y"'), 'a control character in a'],
    ['infinity', withKeys('a: .inf'), 'a number in a'],
    ['a number JSON cannot keep', withKeys('a: 12345678901234567890'), 'a number in a'],
    ['tools that are a number', withKeys('allowed-tools: 3'), 'must be a list'],
    ['tools under two keys', withKeys('allowed-tools: [a]\nAllowed_Tools: [b]'), 'more than once'],
    ['misspelt tools that are nothing', withKeys('allowedTools:'), 'is empty'],
    ['tools that are nothing', withKeys('allowed-tools:'), 'is empty'],
    ['a tool that is no name', withKeys('allowed-tools: [1]'), 'not a name'],
    ['an open parenthesis', withKeys('allowed-tools: Read Bash(git add *'), 'do not match: "Bash('],
    ['one closed twice', withKeys('allowed-tools: [Bash(a)), Read]'), 'do not match: "Bash('],
    [
      'an unquoted colon',
      '---\nname: a\ndescription: Use it: now\n---\n',
      'line 3 of the file: a value without quotes contains ": "',
    ],
    ['too many tools', withKeys(`allowed-tools: [${'a,'.repeat(201)}]`), 'more than 200 names'],
    ['a long description', withKeys(`description: ${'a'.repeat(1025)}`), '1,024 characters'],
    ['long front matter', withKeys(`a: ${'a'.repeat(8200)}`), 'longer than 8 KiB'],
    ['a long body', withKeys('', 'ä'.repeat(128 * 1024 + 1)), 'longer than 256 KiB'],
    ['a huge file', withKeys('', 'a'.repeat(300_000)), 'too long'],
  ])('%s', (_what, text, words) => {
    expect(() => parse(text)).toThrow(words)
    expect(() => parse(text)).toThrow(ValidationError)
  })

  test('bytes that are no UTF-8', () => {
    expect(() => parseSkill(Uint8Array.of(0x2d, 0xff, 0xfe))).toThrow('not UTF-8')
    expect(() => parseSkill(Buffer.from(`\uFEFF${withKeys('')}`, 'utf16le'))).toThrow('not UTF-8')
  })

  test.each(['- ', '[', '{a: ', '? ', '[{', '- ? ', 'a: ', ': '])(
    'nesting by %j without end, before it can hurt',
    (piece) => {
      const yaml = piece.repeat(Math.floor(8_000 / piece.length))
      expect(() => parse(`---\n${yaml}\n---\n`)).toThrow(ValidationError)
    },
  )

  test('a bomb of aliases', () => {
    const lines = Array.from({ length: 9 }, (_, i) => `k${i + 1}: [*k${i},*k${i},*k${i}]`)
    expect(() => parse(withKeys(`k0: &k0 [x,x]\n${lines.join('\n')}`))).toThrow(
      'front matter uses an',
    )
  })

  test('random pieces of YAML end with the skill or a refusal', () => {
    const pieces = fc.constantFrom(
      '---',
      '\n',
      'name: a',
      ': ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '"',
      '&a ',
      '*a',
      '!x ',
      '? ',
      '|',
      '>',
      '#',
      '%',
      'a',
      '  ',
      '\t',
      '\0',
      '<<: ',
      '...',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        try {
          expect(parse(`---\nname: a\n${parts.join('')}`).name).toBe('a')
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError)
        }
      }),
      { numRuns: 500 },
    )
  })
})

test('the order of keys, comments and quoting make no other text', () => {
  const one = parse('---\nowner: Ada\nname: a # short\nmeta: {b: 1, a: 2}\n---\nBody\n')
  const other = parse('---\nname: "a"\nmeta:\n  a: 2\n  b: 1\nowner: \'Ada\'\n---\nBody\n')
  expect(skillFileText(one)).toBe(skillFileText(other))
  expect(skillFileText(one)).toBe('---\nname: a\nmeta:\n  a: 2\n  b: 1\nowner: Ada\n---\nBody\n')
})

test('any skill that is written is read back unchanged', () => {
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
