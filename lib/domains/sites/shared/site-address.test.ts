import { describe, expect, it } from 'vitest'
import { parseWebAddress } from '@/lib/domains/hosts/shared/web-origin'
import { isOfSite, PageAddress, SiteAddress } from './site-address'

const start = 'https://docs.example.org/manual/'

/** Returns whether an address, as a model gives it, belongs to a site. */
function belongs(text: string, site = start): boolean {
  const parsed = parseWebAddress(text)
  return 'url' in parsed && isOfSite(new URL(site), parsed.url)
}

describe('a page belongs to the site that it is at or below', () => {
  it.each([
    'https://docs.example.org/manual/',
    'https://docs.example.org/manual',
    'https://docs.example.org/manual/a/b.html?x=1#part',
    'HTTPS://DOCS.Example.ORG:443/manual/a',
    'https://docs.example.org./manual/a',
    'https://docs.example.org/%6Danual/a',
    'https://docs.example.org/other/../manual/a',
    'https://docs.example.org/manual//a',
    'https://docs.example.org/manual/50%25',
    'https://docs.example.org/manual/..a/.well-known',
    'https://docs.example.org/manual/Gr%C3%BC%c3%9fe',
  ])('%s', (text) => expect(belongs(text)).toBe(true))

  it.each([
    'https://docs.example.org/',
    'https://docs.example.org/manuals',
    'https://docs.example.org/Manual/a',
    'https://docs.example.org/manual/../admin',
    'https://docs.example.org/manual/%2e%2e/admin',
    'https://docs.example.org/manual/%2E./admin',
    'https://docs.example.org/manual/..%2fadmin',
    'https://docs.example.org/manual/..%5cadmin',
    'https://docs.example.org/manual/%252e%252e%252fadmin',
    'https://docs.example.org/manual/%252525252e',
    'https://docs.example.org/manual/..;/admin',
    'https://docs.example.org/manual/%2e%2e;a=b/admin',
    'https://docs.example.org/manual/a%00b',
    'https://docs.example.org/manual/a%0d%0ab',
    'https://docs.example.org/manual/..\\admin',
    'https://docs.example.org\\manual',
    'https://docs.example.org//manual/a',
    'https:///docs.example.org/manual/a',
    '//docs.example.org/manual/a',
    'http://docs.example.org/manual/a',
    'https://docs.example.org:8443/manual/a',
    'https://ada@docs.example.org/manual/a',
    'https://docs.example.org@evil.example/manual/a',
    'https://docs.example.org.evil.example/manual/a',
    'https://docs。example。org.evil.example/manual/a',
    'https://docs%2eexample.org/manual/a',
    'https://docs.example.org:443:80/manual/a',
    'https://docs.example.org/manual/a\u200b',
    'ftp://docs.example.org/manual/a',
    'manual/a',
    '',
  ])('%j does not', (text) => expect(belongs(text)).toBe(false))

  it.each([
    ['https://Bücher.example/', 'https://xn--bcher-kva.example/', true],
    ['https://bucher.example/', 'https://xn--bcher-kva.example/', false],
    ['http://127.1:8080/a', 'http://127.0.0.1:8080/', true],
    ['http://[::1]:8080/a', 'http://[0:0:0:0:0:0:0:1]:8080/', true],
    ['https://example.org/anything', 'https://example.org/', true],
    ['https://example.org//a', 'https://example.org/', true],
    ['https://example.org/a%20b/c', 'https://example.org/a%20b', true],
    ['https://example.org/start.html', 'https://example.org/start.html', true],
    ['https://example.org/start.htm', 'https://example.org/start.html', false],
    ['https://example.org/a/b', 'https://example.org/a%2Fb', false],
  ])('%s, of the site %s: %s', (text, site, expected) =>
    expect(belongs(text, new URL(site).href)).toBe(expected),
  )
})

describe('an address is stored in its one form', () => {
  it.each([
    [' HTTPS://Example.org ', 'https://example.org/'],
    ['https://bücher.example/a/../b#part', 'https://xn--bcher-kva.example/b'],
    ['https://example.org:443/b/', 'https://example.org/b/'],
  ])('%j', (text, stored) => expect(SiteAddress.parse(text)).toBe(stored))

  it.each([
    ['example.org', 'does not start'],
    ['https://ada:secret@example.org', 'user name'],
    ['https://example.org/?page=1', 'Leave out'],
    ['https://example.org/a%2f..%2fb', 'more than one way'],
    [`https://example.org/${'a'.repeat(1_000)}`, 'at most 1,000'],
  ])('%s is refused', (text, why) => {
    expect(SiteAddress.safeParse(text).error?.issues[0]?.message).toContain(why)
  })

  it('a sitemap may have a query', () => {
    expect(PageAddress.parse('https://example.org/map?page=1')).toBe(
      'https://example.org/map?page=1',
    )
  })
})
