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
      site: 'docs',
      host: server.origin,
      from: 'sitemaps',
      pages: 4,
      shown: 3,
      tree: [
        {
          path: '/docs/',
          below: [
            { path: '/docs/a?x=1&y=2' },
            { path: '/docs/a', below: [{ path: '/docs/a/deep', more: 1 }] },
            { path: '/docs/b' },
          ],
        },
      ],
      leftOut: [
        {
          what: '1 of 4 pages',
          why: 'more than 2 levels below the start page; "more" counts them',
        },
        { what: '1 sitemap', why: 'on another host, or no address' },
        { what: '5 addresses', why: 'outside the site' },
        { what: `${server.origin}/maps/missing.xml`, why: 'The host answered with status 404' },
      ],
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
      leftOut: [{ what: '6 sitemaps', why: expect.stringContaining('at most 20') }],
    })
    expect(server.requests.map(({ url }) => url)).not.toContain('/nested.xml')
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
    expect(found).toMatchObject({ pages: 50_000, shown: 0 })
    expect(found.leftOut).toEqual([
      { what: '50\u202f000 of 50\u202f000 pages', why: expect.stringContaining('200 entries') },
      { what: '10\u202f000 entries', why: 'at most 50,000 are read' },
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
      'It is no sitemap',
    ],
    [
      'an address of another file',
      () => sends('<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><urlset/>'),
      'It is no sitemap',
    ],
    ['comments without an end', () => sends(`<!--${'<!--'.repeat(2_000_000)}`), 'It is no sitemap'],
    ['a page', () => html('<html><loc>x</loc>'), 'It is no sitemap'],
    [
      'a redirect to another host',
      () => redirects('http://localhost:1/map.xml'),
      'redirects to another host',
    ],
  ])('and refuses %s', async (_what, page, why) => {
    const server = await startHost({ '/map.xml': page() })
    const site = siteAt(server.origin, { sitemap: `${server.origin}/map.xml`, crawl: false })
    const { pages, from, leftOut } = await listPages(site, newAsker())
    expect([pages.size, from.type]).toEqual([0, 'nothing'])
    expect(leftOut).toEqual([{ what: site.sitemap, why: expect.stringContaining(why) }])
    await expect(treeOf(site)).rejects.toMatchObject({ code: 'no-pages' })
  })

  test('with names that have blanks or attributes, relative addresses, and pages that differ by their query', async () => {
    const server = await startHost({
      '/sitemap.xml': sends(
        `<urlset xmlns:i="i"><url><loc >/docs/a</loc ><i:loc>/docs/image.png</i:loc></url><url><loc\nxml:lang="en">b?id=1</loc></url><url><loc>b?id=2</loc></url><url><loc>./c d</loc></url><url><loc/></url></urlset>`,
      ),
    })
    const { tree, leftOut } = await treeOf(siteAt(server.origin))
    expect(tree[0].below).toEqual([
      { path: '/docs', below: [{ path: '/docs/a' }] },
      { path: '/b?id=1' },
      { path: '/b?id=2' },
    ])
    expect(leftOut).toEqual([{ what: '2 entries', why: 'no address' }])
  })

  test('of plain text, also where nobody names it', async () => {
    const server = await startHost({
      '/sitemap.txt': (request, response) =>
        sends(
          `\ufeffhttp://${request.headers.host}/a\r\n\n http://${request.headers.host}/b?id=1 \nhttps://else.example/c\nnonsense and more`,
        )(request, response),
    })
    const found = await treeOf(siteAt(server.origin, { crawl: false }))
    expect(found).toMatchObject({ from: 'sitemaps', pages: 2 })
    expect(found.tree[0].below).toEqual([{ path: '/a' }, { path: '/b?id=1' }])
    expect(found.leftOut).toEqual([
      { what: '1 address', why: 'outside the site' },
      { what: '1 entry', why: 'no address' },
    ])
  })

  test('that robots.txt names by its path', async () => {
    const server = await startHost({
      '/robots.txt': sends('Sitemap: /maps/all.txt'),
      '/maps/all.txt': (request, response) =>
        sends(`http://${request.headers.host}/a`)(request, response),
    })
    expect(await treeOf(siteAt(server.origin))).toMatchObject({ from: 'sitemaps', pages: 1 })
  })

  const none = 'It has no sitemap, and its links are not followed.'
  it.each<[string, string, Record<string, Served>]>([
    ['none', none, {}],
    ['a page instead', none, { '/sitemap.xml': html('<!doctype html><p>Not found</p>') }],
    [
      'one without pages',
      'The sitemap ORIGIN/sitemap.xml has no page of the site.',
      { '/sitemap.xml': sends('<urlset></urlset>') },
    ],
    [
      'one of another host',
      'The sitemap ORIGIN/sitemap.xml has no page of the site. 1 address: outside the site.',
      { '/sitemap.xml': sends(mapOf('https://www.else.example/')) },
    ],
    [
      'one on another host',
      '1 sitemap: on another host, or no address.',
      { '/robots.txt': sends('Sitemap: https://else.example/map.xml') },
    ],
    [
      'one that may not be read',
      'ORIGIN/sitemap.xml: The host answered with status 403.',
      { '/sitemap.xml': (_request, response) => response.writeHead(403).end() },
    ],
    [
      'one that declares its type',
      'ORIGIN/sitemap.xml: It is no sitemap: declarations of a document type are not read.',
      { '/sitemap.xml': sends('<!DOCTYPE urlset><urlset><url><loc>/a</loc></url></urlset>') },
    ],
    [
      'a robots.txt that may not be read',
      'ORIGIN/robots.txt: The host answered with status 403.',
      { '/robots.txt': (_request, response) => response.writeHead(403).end() },
    ],
  ])('and "no sitemap" is only said where there is none: %s', async (_what, words, pages) => {
    const server = await startHost(pages)
    const site = siteAt(server.origin, { crawl: false })
    await expect(treeOf(site)).rejects.toMatchObject({
      code: 'no-pages',
      message: `No page of this site was found. ${words.replaceAll('ORIGIN', server.origin)}`,
    })
  })

  it.each([
    ['tags that nobody closes', `<urlset>${'<a'.repeat(4_000_000)}`, []],
    [
      'entries that nobody closes',
      `<urlset>${'<loc>'.repeat(500_000)}`,
      ['no address', 'at most 50,000 are read'],
    ],
    ['deep elements', `<urlset>${'<url>'.repeat(1_500_000)}`, []],
    [
      'names of entities',
      `<urlset>${'<url><loc>&a;&b;&amp</loc></url>'.repeat(200_000)}`,
      ['no address', 'at most 50,000 are read'],
    ],
  ])('and finds nothing in %s', async (_what, text, entries) => {
    const server = await startHost({ '/map.xml': sends(text) })
    const site = siteAt(server.origin, { sitemap: `${server.origin}/map.xml`, crawl: false })
    const { pages, leftOut } = await listPages(site, newAsker())
    expect(pages.size).toBe(0)
    expect(leftOut.map(({ why }) => why)).toEqual(entries)
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
