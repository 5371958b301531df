import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { originsFor, parseWebAddress, WebOrigin } from './web-origin'

/** Returns the origin of an address, or the first words of why it is refused. */
function read(text: string): string {
  const parsed = parseWebAddress(text)
  return 'url' in parsed ? parsed.url.origin : parsed.refusal
}

const scheme = 'It does not start with https:// or http://.'
const host = 'It has no valid host.'
const signs = 'It has spaces, backslashes or invisible characters.'
const person = 'It has a user name or a password in it.'

describe('an address is taken apart as a browser does, or refused', () => {
  it.each([
    // One form of each host.
    ['https://example.org', 'https://example.org'],
    ['https://example.org/', 'https://example.org'],
    ['HTTPS://EXAMPLE.ORG/Path?Query#part', 'https://example.org'],
    ['https://example.org:443/', 'https://example.org'],
    ['http://example.org:80/', 'http://example.org'],
    ['http://example.org:443/', 'http://example.org:443'],
    ['https://example.org:80/', 'https://example.org:80'],
    ['https://example.org:0443/', 'https://example.org'],
    ['https://example.org:/', 'https://example.org'],
    ['https://example.org./a', 'https://example.org'],
    ['https://example.org.:8443/a', 'https://example.org:8443'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example'],
    ['https://BÜCHER.example/', 'https://xn--bcher-kva.example'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example'],
    ['https://faß.example/', 'https://xn--fa-hia.example'],
    ['https://example。org/', 'https://example.org'],
    ['https://ｅｘａｍｐｌｅ.org/', 'https://example.org'],
    ['https://exаmple.org/', 'https://xn--exmple-4nf.org'],
    ['https://a_b.example.org/', 'https://a_b.example.org'],
    ['https://example.org?@evil.example', 'https://example.org'],
    ['https://example.org/@evil.example', 'https://example.org'],
    ['https://example.org#@evil.example', 'https://example.org'],
    ['https://example.org/a%2f..%2fb', 'https://example.org'],
    // One form of each IP address.
    ['http://127.0.0.1/', 'http://127.0.0.1'],
    ['http://2130706433/', 'http://127.0.0.1'],
    ['http://0x7f000001/', 'http://127.0.0.1'],
    ['http://0177.0.0.1/', 'http://127.0.0.1'],
    ['http://127.1/', 'http://127.0.0.1'],
    ['http://127.0.0.1./', 'http://127.0.0.1'],
    ['http://１２７.0.0.1/', 'http://127.0.0.1'],
    ['http://0/', 'http://0.0.0.0'],
    ['http://[::1]/', 'http://[::1]'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
    ['http://[0:0:0:0:0:0:0:1]/', 'http://[::1]'],
    ['http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]'],
    // Another scheme, or none.
    ['', scheme],
    ['example.org', scheme],
    ['//example.org/', scheme],
    ['/etc/passwd', scheme],
    ['https:example.org', scheme],
    ['https:/example.org', scheme],
    ['ftp://example.org/', scheme],
    ['file:///etc/passwd', scheme],
    ['javascript:alert(1)', scheme],
    ['data:text/html,hello', scheme],
    ['blob:https://example.org/1', scheme],
    ['view-source:https://example.org/', scheme],
    ['wss://example.org/', scheme],
    ['httpx://example.org/', scheme],
    // A person in it, also an empty one.
    ['https://ada@example.org/', person],
    ['https://ada:secret@example.org/', person],
    ['https://example.org@evil.example/', person],
    ['https://example.org:443@evil.example/', person],
    ['https://example.org%40evil.example/', host],
    ['https://@example.org/', person],
    ['https://:@example.org/', host],
    // No host, or none that a name may be.
    ['https://', host],
    ['https:///example.org/', host],
    ['https:////example.org/', host],
    ['https://?example.org', host],
    ['https://:443/', host],
    ['https://.example.org/', host],
    ['https://example..org/', host],
    ['https://example.org../', host],
    ['https://./', host],
    ['https://%65xample.org/', host],
    ['https://ex%00ample.org/', host],
    ['https://*.example.org/', host],
    ['https://example.org:99999/', host],
    ['https://example.org:-1/', host],
    ['https://example.org:https/', host],
    ['https://256.256.256.256/', host],
    ['https://1.2.3.4.5/', host],
    ['https://[::1/', host],
    ['https://[fe80::1%25eth0]/', host],
    ['https://exa<mple.org/', host],
    [`https://${'a'.repeat(64)}.org/`, host],
    // Forms that parsers drop or change.
    ['https:\\\\example.org/', signs],
    ['https://example.org\\@evil.example/', signs],
    ['https://example.org/\\..\\secret', signs],
    [' https://example.org/', signs],
    ['https://example.org/ ', signs],
    ['https://exam\tple.org/', signs],
    ['https://exam\nple.org/', signs],
    ['https://example.org/\r\nHost: evil.example', signs],
    ['https://example.org/a b', signs],
    ['https://exam\u00adple.org/', signs],
    ['https://exam\u200bple.org/', signs],
    ['https://example.org/\u202egro.live', signs],
    ['https://example.org/\0', signs],
  ])('%j is %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it('a very long one is refused', () => {
    expect(read(`https://example.org/${'a'.repeat(4_000)}`)).toBe(
      'It is longer than 4,000 characters.',
    )
  })

  it('any accepted origin has a plain host and no user name, and is read the same again', () => {
    const parts = fc.constantFrom(
      'https://',
      'http://',
      'example.org',
      '.',
      '/',
      '\\',
      '@',
      ':',
      '%',
      '#',
      '?',
      '*',
      '[',
      ']',
      '443',
      '127',
      '0x7f',
      'ü',
      'xn--',
      '\t',
      ' ',
      '\u200b',
      '。',
      'evil',
    )
    const text = fc.array(parts, { maxLength: 9 }).map((all) => all.join(''))
    const address = fc.oneof(
      text,
      text.map((end) => `https://example.org${end}`),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(address, (input) => {
        const parsed = parseWebAddress(input)
        if ('refusal' in parsed) return
        const { url } = parsed
        expect(url.protocol).toMatch(/^https?:$/)
        expect(url.hostname).toMatch(/^(\[[0-9a-f:]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/)
        expect(url.username + url.password + url.hash).toBe('')
        expect(read(url.href)).toBe(url.origin)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what may be listed', () => {
  it.each([
    ['https://example.org', 'https://example.org'],
    [' HTTPS://Example.ORG:443/ ', 'https://example.org'],
    ['http://example.org:8080', 'http://example.org:8080'],
    ['https://*.Example.org', 'https://*.example.org'],
    ['https://*.bücher.example:8443', 'https://*.xn--bcher-kva.example:8443'],
    ['http://10.0.0.1:3000', 'http://10.0.0.1:3000'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]', 'http://[::1]'],
  ])('%j is stored as %s', (text, expected) => {
    expect(WebOrigin.parse(text)).toBe(expected)
  })

  it.each([
    '',
    'example.org',
    '*.example.org',
    'https://*',
    'https://*.org',
    'https://*.10.0.0.1',
    'https://*.0.0.1',
    'https://*.*.example.org',
    'https://a.*.example.org',
    'https://a*.example.org',
    'https://example.org/path',
    'https://example.org?',
    'https://example.org/#',
    'https://ada@example.org',
    'ftp://example.org',
    'https://*.[::1]',
    `https://${'a.'.repeat(60)}org`,
  ])('%j is refused with an example or a limit', (text) => {
    const parsed = WebOrigin.safeParse(text)
    expect(parsed.error?.issues[0]?.message).toMatch(/https:\/\/example\.org|100 characters/)
  })

  it('an address is below each name above it, never below one that only ends alike', () => {
    const of = (text: string) => originsFor(new URL(text))
    expect(of('https://a.b.example.org/x')).toEqual([
      'https://a.b.example.org',
      'https://*.b.example.org',
      'https://*.example.org',
    ])
    expect(of('http://notexample.org:8080/')).toEqual(['http://notexample.org:8080'])
    expect(of('http://10.0.0.1/')).toEqual(['http://10.0.0.1'])
    expect(of('http://[::1]:1/')).toEqual(['http://[::1]:1'])
    expect(of('https://example.org/')).not.toContain('https://*.example.org')
  })
})
