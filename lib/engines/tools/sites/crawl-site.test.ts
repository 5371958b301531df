import { describe, expect, test } from 'vitest'
import { redirects, type Served, sends } from '@/tests/support/web-server'
import { callWithSites, html, newAsker, siteAt, startHost } from '@/tests/support/web-sites'
import getPageTree from '../builtin/get-page-tree'
import type { UsableSite } from '../site-resources'
import { listPages } from './list-pages'

const treeOf = (site: UsableSite, depth = 3) =>
  callWithSites(getPageTree, { site: 'docs', depth }, [site])

describe('links are followed where there is no sitemap', () => {
  const page = (title: string, ...links: string[]) =>
    html(
      `<html><head><title>${title}</title></head><body>${links.map((link) => `<a href="${link}">x</a>`).join('')}`,
    )

  test('once each, those with queries last, and only those of the site that robots.txt allows', async () => {
    const server = await startHost({
      '/robots.txt': sends(
        'User-agent: Other\nDisallow: /docs/open\n\nUser-agent: *\nDisallow: /docs/no # never\nAllow: /docs/no/yes$\nUser-agent: toolgate\nDisallow: /*.pdf$',
      ),
      '/docs/': page(
        'Start &amp; end',
        'a?x=1',
        'a?x=2#b',
        '/docs/open',
        '/docs/no/',
        '/docs/no/yes',
        'f.pdf',
        'i.png',
        '/other',
        'https://else.example/',
        'mailto:a@b.c',
        'javascript:x',
      ),
      '/docs/a': html(
        '<base href="/docs/sub/"><!-- <a href="comment"> --><script>"<a href=script>"</script><a rel="ugc nofollow" href="rel">x</a><a href = back>x</a>',
      ),
      '/docs/sub/back': page('Back', '/docs/', '../a', '../round'),
      '/docs/round': redirects('/docs/a'),
      '/docs/open': html(
        '<meta name="robots" content="index, nofollow"><a href="/docs/unseen">x</a>',
      ),
      '/docs/no/yes': page('Yes', '/docs/gone'),
      '/docs/unseen': page('Unseen'),
    })
    const found = await treeOf(siteAt(`${server.origin}/docs/`))
    expect(found).toMatchObject({ from: 'links', pages: 7, shown: 7 })
    expect(found.leftOut).toEqual([
      { what: '2 pages', why: 'robots.txt refuses them' },
      { what: '1 page', why: 'could not be read' },
    ])
    expect(found.tree).toEqual([
      {
        path: '/docs/',
        title: 'Start & end',
        below: [
          { path: '/docs/open' },
          { path: '/docs/no', below: [{ path: '/docs/no/yes', title: 'Yes' }] },
          { path: '/docs/a?x=1' },
          { path: '/docs/sub', below: [{ path: '/docs/sub/back', title: 'Back' }] },
          { path: '/docs/a' },
          { path: '/docs/a?x=2' },
        ],
      },
    ])
    const request = server.requests.map(({ url }) => url)
    expect(request.at(-1)).toBe('/docs/a?x=2')
    expect(request.filter((url) => url?.includes('png'))).toEqual([])
  })

  test('at most 50 of them', async () => {
    const server = await startHost({
      '/': page('Start', ...Array.from({ length: 80 }, (_, index) => `/${index}`)),
      ...Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`/${index}`, page('x')])),
    })
    const limit = { wholeMs: 100_000 }
    const { pages, leftOut } = await listPages(siteAt(server.origin), newAsker(), limit)
    expect([pages.size, leftOut]).toEqual([
      50,
      [{ what: '31 links', why: expect.stringContaining('at most 50 pages') }],
    ])
  })

  test('it ends when its time is over and returns what it found', async () => {
    const silent: Served = () => undefined
    const server = await startHost({
      '/': page('Start', '/slow', '/b'),
      '/slow': silent,
      '/b': page('B'),
    })
    const { pages, leftOut } = await listPages(siteAt(server.origin), newAsker(), {
      wholeMs: 5_000,
    })
    expect([...pages]).toEqual([['/', 'Start']])
    expect(leftOut).toContainEqual({
      what: 'what was not read by then',
      why: 'It took longer than 5 seconds',
    })
  })

  test('not where robots.txt cannot be read, nor where that is switched off', async () => {
    const broken = await startHost({
      '/robots.txt': (_request, response) => response.writeHead(503).end(),
      '/': page('Start'),
    })
    await expect(treeOf(siteAt(broken.origin))).rejects.toThrow(
      'robots.txt: The host answered with status 503.',
    )
    const off = await startHost({ '/': page('Start') })
    await expect(treeOf(siteAt(off.origin, { crawl: false }))).rejects.toThrow(
      'It has no sitemap, and its links are not followed.',
    )
  })

  test('not for a private address that is not allowed', async () => {
    const server = await startHost({ '/': page('Start') })
    const site = siteAt(server.origin, { privateAddressAllowed: false })
    await expect(treeOf(site)).rejects.toThrow('blocked')
    expect(server.requests).toEqual([])
  })
})
