import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { redirects, sends, startWebServer } from '@/tests/support/web-server'
import { callWithSites, html, siteAt, type WebServer } from '@/tests/support/web-sites'
import getPageContent from './get-page-content'

describe('get_page_content', () => {
  let server: WebServer
  beforeAll(async () => {
    const words = 'These words are the text. '.repeat(20)
    server = await startWebServer({
      '/docs/': html(`<title>Manual</title><p>${words}<a href="a">a</a> <a href="b">b</a>`),
      '/docs/long': sends('word '.repeat(4_000)),
      '/docs/fits': sends('word '.repeat(1_600)),
      '/docs/key': sends(`${'a '.repeat(3_990)}password=${'x7Kq9'.repeat(20)}`),
      '/docs/moved': redirects('/docs/fits'),
      '/docs/out': redirects('/admin'),
      '/docs/away': redirects('https://else.example/'),
      '/admin': sends('secret'),
    })
  })
  afterAll(() => server.close())
  const read = (path: string, sites = [siteAt(`${server.origin}/docs/`)]) =>
    callWithSites(getPageContent, { url: server.origin + path }, sites)

  test('returns a page with its title and how many links it has', async () => {
    expect(await read('/docs/')).toEqual({
      site: 'docs',
      url: `${server.origin}/docs/`,
      title: 'Manual',
      links: 2,
      text: expect.stringContaining('These words'),
      characters: expect.any(Number),
      leftOut: [],
    })
    expect(await read('/docs/moved')).toMatchObject({ url: `${server.origin}/docs/fits` })
  })

  test('says how much of a text is cut, and hides a secret that the cut would halve', async () => {
    expect(await read('/docs/fits')).toMatchObject({ characters: 8_000, links: null })
    const long = await read('/docs/long')
    expect(long).toMatchObject({ characters: 20_000 })
    expect(long.text).toHaveLength(8_000)
    expect((await read('/docs/key')).text).not.toContain('x7K')
    const pages = [await read('/docs/fits'), long, await read('/docs/key')]
    expect(pages.map(({ leftOut }) => leftOut)).toEqual([
      [],
      [{ what: '12 000 of 20 000 characters', why: 'a call returns no more' }],
      [
        { what: '89 of 8 089 characters', why: 'a call returns no more' },
        { what: '1 part', why: expect.stringContaining('[redacted]') },
      ],
    ])
  })

  it.each(['/docs/out', '/docs/away'])('%s leads out of the site', async (path) => {
    await expect(read(path)).rejects.toMatchObject({ code: 'redirected' })
    expect(server.requests.map(({ url }) => url)).not.toContain('/admin')
  })

  test('says the same of whatever is in no site', async () => {
    const said = (url: string) =>
      callWithSites(getPageContent, { url }, [siteAt(`${server.origin}/docs/`)]).then(
        () => 'read',
        (error) => error.message,
      )
    const words = `This is no page of a site that you may use. You may use: ${server.origin}/docs/.`
    for (const url of [
      'https://else.example/',
      `${server.origin}/admin`,
      `${server.origin}/docs/%2e%2e/admin`,
      `${server.origin}/docs/..%2fadmin`,
      `http://localhost:${server.port}/docs/`,
      'docs',
      'file:///etc',
      `http://127.0.0.1:${server.port + 1}/docs/`,
      `http://ada@127.0.0.1:${server.port}/docs/`,
    ])
      expect(await said(url), url).toBe(words)
    await expect(read('/docs/', [])).rejects.toThrow(
      'This is no page of a site that you may use. There is none that you may use.',
    )
  })

  test('takes the site with the longest path', async () => {
    const outer = siteAt(server.origin, { name: 'all', privateAddressAllowed: false })
    expect(await read('/docs/fits', [outer, siteAt(`${server.origin}/docs/`)])).toMatchObject({
      site: 'docs',
    })
  })
})
