import { expect, test } from 'vitest'
import { mostAddressBytes } from '@/lib/edge/request-limits'
import { addressBefore, safePath } from './safe-path'

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

test.each([`/runs?${'a&'.repeat(100)}a`, `/runs?search=${'x'.repeat(4_096)}#top`])(
  'leaves out a query that the server would refuse',
  (text) => {
    expect(safePath(text)).toBe('/runs')
  },
)

test.each([
  ['/', '/sign-in'],
  ['/runs?page=2&search=a%20b', '/sign-in?next=%2Fruns%3Fpage%3D2%26search%3Da%2520b'],
  [`/runs?search=${'%E6'.repeat(1_000)}`, '/sign-in?next=%2Fruns'],
  [`/${'%E6'.repeat(1_000)}`, '/sign-in'],
])('the address of the sign-in page is never longer than the server takes', (path, address) => {
  expect(addressBefore('/sign-in', path)).toBe(address)
  expect(address.length).toBeLessThanOrEqual(mostAddressBytes)
})
