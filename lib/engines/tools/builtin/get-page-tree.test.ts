import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { redirects, type Served, sends } from '@/tests/support/web-server'
import { callWithSites, html, newAsker, siteAt, startHost } from '@/tests/support/web-sites'
import type { UsableSite } from '../site-resources'
import { listPages } from '../sites/list-pages'
import getPageTree from './get-page-tree'

const brotli = (content: Uint8Array) =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
const mapOf = (...locations: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations.map((each) => `<url><loc>${each}</loc></url>`).join('')}</urlset>`
const indexOf = (...locations: string[]) =>
  `<sitemapindex>${locations.map((each) => `<sitemap><loc> ${each} </loc></sitemap>`).join('')}</sitemapindex>`

const treeOf = (site: UsableSite, depth = 3) =>
  callWithSites(getPageTree, { site: 'docs', depth }, [site])

describe('sitemaps are read', () => {
  test('of an index, also packed ones, and counts what is outside', async () => {
    const server = await startHost({
      '/robots.txt': (request, response) =>
        sends(
          `Sitemap: http://${request.headers.host}/maps/all.xml\nSitemap: https://else.example/a.xml`,
        )(request, response),
      '/maps/all.xml': (request, response) => {
        const origin = `http://${request.headers.host}`
        const maps = ['a.xml.gz', 'b.xml', 'missing.xml'].map((name) => `${origin}/maps/${name}`)
        sends(indexOf(...maps, 'https://else.example/c.xml'))(request, response)
      },
      '/maps/a.xml.gz': (request, response) => {
        const origin = `http://${request.headers.host}`
        const content = gzipSync(mapOf(`${origin}/docs/`, `${origin}/docs/a?x=1&amp;y=2`))
        sends(content, { 'content-type': 'application/gzip' })(request, response)
      },
      '/maps/b.xml': (request, response) => {
        const origin = `http://${request.headers.host}`
        const pages = [
          `${origin}/docs/a/deep/er`,
          `<![CDATA[${origin}/docs/b]]>`,
          `${origin}/other`,
        ]
        const text = mapOf(
          ...pages,
          `${origin}/docs/../admin`,
          'https://else.example/docs/x',
          'nonsense',
        )
        sends(brotli(Buffer.from(text)), { 'content-encoding': 'br' })(request, response)
      },
    })
    expect(await treeOf(siteAt(`${server.origin}/docs/`), 2)).toEqual({
      ...{ site: 'docs', host: server.origin, from: 'sitemaps' },
      ...{ pages: 4, shown: 3, notShown: 1 },
      tree: [
        {
          path: '/docs/',
          below: [
            { path: '/docs/a', below: [{ path: '/docs/a/deep', more: 1 }] },
            { path: '/docs/b' },
          ],
        },
      ],
      leftOut: ['5 addresses outside the site'],
      trouble: [`${server.origin}/maps/missing.xml: The host answered with status 404.`],
    })
  })

  test('in the encoding that it names, as robots.txt is in that of its header', async () => {
    const wide = { 'content-type': 'text/plain; charset=utf-16le' }
    const server = await startHost({
      '/robots.txt': (request, response) => {
        const line = `Sitemap: http://${request.headers.host}/map.xml`
        sends(Buffer.from(line, 'utf16le'), wide)(request, response)
      },
      '/map.xml': (request, response) => {
        const map = mapOf(`http://${request.headers.host}/docs/stra\xdfe`)
        const latin = map.replace('UTF-8', 'ISO-8859-1')
        sends(Buffer.from(latin, 'latin1'))(request, response)
      },
    })
    const { tree } = await treeOf(siteAt(`${server.origin}/docs/`))
    expect(JSON.stringify(tree)).toContain(encodeURI('/docs/straße'))
  })

  test('of at most 20 that an index names, and none that those name', async () => {
    const pages: Record<string, Served> = {}
    const server = await startHost(pages)
    const names = Array.from({ length: 25 }, (_, index) => `${server.origin}/map-${index}.xml`)
    pages['/sitemap.xml'] = sends(indexOf(...names))
    pages['/map-0.xml'] = sends(indexOf(`${server.origin}/nested.xml`))
    for (let index = 1; index < 25; index++) {
      pages[`/map-${index}.xml`] = sends(mapOf(`${server.origin}/page-${index}`))
    }
    const found = await treeOf(siteAt(server.origin))
    expect(found).toMatchObject({
      pages: 19,
      leftOut: ['6 further sitemaps that were not read'],
      trouble: [],
    })
    expect(server.asked.map(({ url }) => url)).not.toContain('/nested.xml')
  })

  test('with more entries than are read', async () => {
    const pages: Record<string, Served> = {}
    const server = await startHost(pages)
    const all = Array.from(
      { length: 60_000 },
      (_, index) => `${server.origin}/${index % 300}/${index}`,
    )
    pages['/sitemap.xml'] = sends(gzipSync(mapOf(...all)))
    const found = await treeOf(siteAt(server.origin))
    expect(found).toMatchObject({ pages: 50_000, shown: 0, notShown: 50_000 })
    expect(found.leftOut).toEqual([
      expect.stringMatching(/^10.000 entries beyond the first 50,000$/),
    ])
    expect(found.tree[0].below).toHaveLength(200)
    expect(found.tree[0].below[0]).toEqual({ path: '/0', more: 167 })
  })

  it.each<[string, () => Served, string]>([
    ['a bomb of gzip', () => sends(gzipSync(Buffer.alloc(200 * 1024 * 1024))), '10 MiB'],
    [
      'a bomb in a bomb',
      () =>
        sends(brotli(gzipSync(Buffer.alloc(200 * 1024 * 1024))), {
          'content-encoding': 'br',
        }),
      '10 MiB',
    ],
    [
      'much that unpacks to nothing',
      () =>
        sends(brotli(Buffer.concat(Array(600_000).fill(gzipSync('')))), {
          'content-encoding': 'br',
        }),
      '10 MiB',
    ],
    ['a damaged file', () => sends(gzipSync(mapOf('a')).subarray(0, 30)), 'cannot be read'],
    [
      'a billion laughs',
      () =>
        sends(
          `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "ha">${Array.from({ length: 12 }, (_, index) => `<!ENTITY a${index} "${`&a${index - 1 < 0 ? '' : index - 1};`.repeat(10)}">`).join('')}]><urlset><url><loc>&a11;</loc></url></urlset>`,
        ),
      'It is no sitemap.',
    ],
    [
      'an address of another file',
      () => sends('<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><urlset/>'),
      'It is no sitemap.',
    ],
    [
      'comments without an end',
      () => sends(`<!--${'<!--'.repeat(2_000_000)}`),
      'It is no sitemap.',
    ],
    ['a page', () => html('<html><loc>x</loc>'), 'It is no sitemap.'],
    [
      'a redirect to another host',
      () => redirects('http://localhost:1/map.xml'),
      'redirects to another host',
    ],
  ])('and refuses %s', async (_what, page, why) => {
    const server = await startHost({ '/map.xml': page() })
    const site = siteAt(server.origin, { sitemap: `${server.origin}/map.xml`, crawl: false })
    const { pages, from, trouble } = await listPages(site, newAsker())
    expect([pages.size, from.type]).toEqual([0, 'nothing'])
    expect(trouble).toEqual([expect.stringContaining(why)])
    await expect(treeOf(site)).rejects.toMatchObject({ code: 'no-pages' })
  })

  it.each([
    ['tags that nobody closes', `<urlset>${'<a'.repeat(4_000_000)}`],
    ['entries that nobody closes', `<urlset>${'<loc>'.repeat(1_500_000)}`],
    ['deep elements', `<urlset>${'<url>'.repeat(1_500_000)}`],
    ['names of entities', `<urlset>${'<url><loc>&a;&b;&amp</loc></url>'.repeat(200_000)}`],
  ])('and finds nothing in %s', async (_what, text) => {
    const server = await startHost({ '/map.xml': sends(text) })
    const site = siteAt(server.origin, { sitemap: `${server.origin}/map.xml`, crawl: false })
    const { pages, trouble } = await listPages(site, newAsker())
    expect([pages.size, trouble]).toEqual([0, []])
  })
})

test('a site that nobody may use and one that does not exist are answered alike', async () => {
  const said = (name: string, sites: UsableSite[]) =>
    callWithSites(getPageTree, { site: name }, sites).catch((error) => error.message)
  const other = siteAt('https://example.org/', { name: 'other' })
  expect(await said('docs', [other])).toBe('Site not found or not permitted. You may use: other.')
  expect(await said('docs', [])).toBe(
    'Site not found or not permitted. There is none that you may use.',
  )
})
