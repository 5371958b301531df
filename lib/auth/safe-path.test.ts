import { expect, test } from 'vitest'
import { safePath } from './safe-path'

test.each(['/', '/runs', '/runs?page=2&q=a%20b#top', '/a/../runs'])(
  'keeps %s on this site',
  (text) => {
    expect(safePath(text)).toBe(text === '/a/../runs' ? '/runs' : text)
  },
)

test.each([
  null,
  undefined,
  '',
  'runs',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/..//evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  ' /runs',
])('turns %j into the start page', (text) => {
  expect(safePath(text)).toBe('/')
})
