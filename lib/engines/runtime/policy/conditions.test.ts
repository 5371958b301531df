import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ArgumentCondition } from '@/lib/protocol/approval'
import { readCondition } from './conditions'
import { hostOf } from './match-host'

function holds(operator: ArgumentCondition['operator'], value: string, found: unknown): boolean {
  return readCondition({ path: '$.x', operator, value }, { x: found }).holds
}

test.each([
  ['https://example.org/a?b#c', 'example.org'],
  ['example.org', 'example.org'],
  ['example.org:8080/path', 'example.org'],
  ['localhost:8080', 'localhost'],
  ['//example.org/a', 'example.org'],
  ['HTTPS://Example.ORG.', 'example.org'],
  ['https://user:secret@evil.test', 'evil.test'],
  ['https://example.org@evil.test/', 'evil.test'],
  ['http:/evil.test', 'evil.test'],
  ['ht\ntps://evil\t.test', 'evil.test'],
  ['git+ssh://git@evil.test/x', 'evil.test'],
  ['https://bücher.example', 'xn--bcher-kva.example'],
  ['https://ｅｖｉｌ.test', 'evil.test'],
  ['http://2130706433/', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['http://0177.0.0.1', '127.0.0.1'],
  ['http://[::1]:80/', '[::1]'],
  ['http://[::ffff:10.0.0.5]/', '10.0.0.5'],
  ['[::ffff:a00:5]:80', '10.0.0.5'],
  ['http://[64:ff9b::10.0.0.5]/', '10.0.0.5'],
] as const)('the host of %s is %s', (text, host) => {
  expect(hostOf(text)).toBe(host)
  expect(holds('host-is', host, text)).toBe(true)
  expect(holds('host-not', host, text)).toBe(false)
  expect(holds('host-not', 'other.example', text)).toBe(true)
  expect(holds('host-is', 'other.example', text)).toBe(false)
})

test('a pattern with a star means hosts below it, and no host that only ends alike', () => {
  const below = (found: unknown) => holds('host-is', '*.example.org', found)
  expect(below('https://a.b.example.org')).toBe(true)
  expect(below('https://example.org')).toBe(false)
  expect(below('https://notexample.org')).toBe(false)
  expect(holds('host-not', '*.Example.org', 'https://a.example.org')).toBe(false)
  expect(holds('host-is', 'BÜCHER.example', 'https://xn--bcher-kva.example')).toBe(true)
})

test.each([
  ['https://good.example\\@evil.test'],
  ['https://'],
  ['https://a b.test'],
  ['https://example.org:99999'],
  ['file:///etc/passwd'],
  ['javascript:alert(1)'],
  ['x'.repeat(9_000)],
  [''],
  [{ host: 'example.org' }],
  [['https://example.org']],
])('what is no readable host fits both questions: %j', (found) => {
  expect(holds('host-is', 'example.org', found)).toBe(true)
  expect(holds('host-not', 'example.org', found)).toBe(true)
})

test('null and a missing value are neither a host nor a path', () => {
  for (const found of [null, undefined]) {
    expect(holds('host-is', 'example.org', found ?? null)).toBe(false)
    expect(holds('path-under', '/srv', found ?? null)).toBe(false)
  }
  const nothing = { path: '$.y', value: '/srv' } as const
  expect(readCondition({ ...nothing, operator: 'path-not-under' }, {}).holds).toBe(true)
  expect(readCondition({ ...nothing, operator: 'path-under' }, {}).holds).toBe(false)
  expect(holds('host-not', 'example.org', null)).toBe(true)
  expect(holds('path-not-under', '/srv', null)).toBe(true)
})

test('a folder matches whether its accents are composed or decomposed', () => {
  for (const [folder, found] of [
    ['/srv/donn\u00e9es', '/srv/donne\u0301es/a'],
    ['/srv/donne\u0301es', '/srv/donn\u00e9es/a'],
  ] as const) {
    expect(holds('path-under', folder, found)).toBe(true)
    expect(holds('path-not-under', folder, found)).toBe(true)
    expect(holds('path-under', '/srv/donnees', found)).toBe(false)
  }
})

// under: every system says that it is inside; outside: every one says that it is not; both: they differ.
test.each([
  ['/srv/reports', 'under'],
  ['/srv/reports/', 'under'],
  ['/srv/reports/a/../b.txt', 'under'],
  ['/srv/./reports/a//b.txt', 'under'],
  ['/srv/reports/a%2f..%2f..%2fetc', 'under'],
  ['/srv/reports2/a', 'outside'],
  ['/srv/reports/../secrets', 'outside'],
  ['/srv', 'outside'],
  ['srv/reports/a', 'outside'],
  ['./reports', 'outside'],
  ['~/reports', 'outside'],
  ['file:///srv/reports/a', 'both'],
  ['file:/srv/reports/a', 'both'],
  [' FILE://localhost/srv/%72eports/../reports/a', 'both'],
  ['file:///srv/secrets', 'outside'],
  ['file:///%ff', 'both'],
  ['/SRV/reports/a', 'both'],
  ['/srv/reports/..\\..\\etc', 'both'],
  ['/srv/reports/.. /.. /etc', 'both'],
  ['\\srv\\reports\\a', 'both'],
  [['/srv/reports'], 'both'],
  ['/srv/reports/a\0.txt', 'both'],
] as const)('%j is %s of /srv/reports', (found, where) => {
  const request = (operator: 'path-under' | 'path-not-under') => {
    try {
      return holds(operator, '/srv/reports', found)
    } catch {
      // A condition that throws counts as matching.
      return true
    }
  }
  expect([request('path-under'), request('path-not-under')]).toEqual([
    where !== 'outside',
    where !== 'under',
  ])
})

test.each([
  ['c:\\Reports\\a.txt', true],
  ['C:/reports/a.txt', true],
  ['\\\\?\\C:\\reports\\a', true],
  ['C:\\reports\\..\\secrets', false],
  ['C:\\reports\\... \\secrets', false],
  ['C:reports\\a', false],
  ['D:\\reports\\a', false],
  ['\\\\server\\reports\\a', false],
  ['/reports/a', false],
])('%s is in C:\\reports: %s', (found, isIn) => {
  expect(holds('path-under', 'C:\\reports', found)).toBe(isIn)
  expect(holds('path-not-under', 'C:\\reports', found)).toBe(!isIn)
})

test('any path is either in a folder or outside of it, and ".." inside of the folder does not leave it', () => {
  const part = fc.constantFrom('..', '.', '', 'a', 'B', 'etc', '.. ', 'C:', '\\', '/', '...', '%2e')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const given = parts.join('/')
      const [under, outside] = (['path-under', 'path-not-under'] as const).map((operator) =>
        holds(operator, '/srv/reports', given),
      )
      expect(under || outside).toBe(true)
      const up = `/srv/reports/${parts.filter((each) => each !== '..' && each !== '.. ' && each !== '...').join('/')}`
      if (!/[\\:]/.test(up)) expect(holds('path-not-under', '/srv/reports', up)).toBe(false)
    }),
  )
})
