import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonPath } from './json-text'

const name = (text: string) => ({ type: 'name', name: text })

test.each([
  ['$', []],
  ['$.user.e-mail_1', [name('user'), name('e-mail_1')]],
  [
    "$['any name']['it\\'s']['back\\\\slash']",
    [name('any name'), name("it's"), name('back\\slash')],
  ],
  [
    '$.items[0][*].größe',
    [name('items'), { type: 'index', index: 0 }, { type: 'all' }, name('größe')],
  ],
  ["$['__proto__'].constructor", [name('__proto__'), name('constructor')]],
])('reads %s', (path, steps) => {
  expect(parseJsonPath(path)).toEqual({ ok: true, steps })
})

test.each([
  ['', 'begins with $'],
  ['user', 'begins with $'],
  ['$user', 'from "user"'],
  ['$..user', 'from "..user"'],
  ['$.', 'from "."'],
  ['$.a b', 'from " b"'],
  ['$[-1]', 'from "[-1]"'],
  ['$[0', 'from "[0"'],
  ["$['open]", 'from "[\'open]"'],
  ['$["double"]', 'from "["double"]"'],
  ['$[?(@.a)]', 'from "[?(@.a)]"'],
  [`$${'.a'.repeat(33)}`, 'at most 32 steps'],
  [`$.${'a'.repeat(500)}`, 'at most 500 characters'],
])('refuses %s and says why', (path, message) => {
  const parsed = parseJsonPath(path)
  expect(parsed.ok ? '' : parsed.message).toContain(message)
})

test('reads back what was quoted, and never throws or takes long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
      const quoted = text.replace(/[\\']/g, '\\$&')
      expect(parseJsonPath(`$['${quoted}']`)).toEqual({ ok: true, steps: [name(text)] })
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...".[]'*$\\0a ") }), (text) => {
      expect(parseJsonPath(`$${text}`)).toHaveProperty('ok')
    }),
  )
})
