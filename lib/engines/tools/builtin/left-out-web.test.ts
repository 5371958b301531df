import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ToolResult } from '@/lib/protocol/tool'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryWeb } from '@/tests/support/memory-web'
import { searchEndpointAt } from '@/tests/support/search-server'
import { sends, startWebServer } from '@/tests/support/web-server'
import { html, siteAt } from '@/tests/support/web-sites'
import type { ToolResources } from '../tool-resources'
import { builtinTools } from './index.generated'

const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz012345'
const found = (count: number) =>
  sends(
    JSON.stringify({
      results: Array.from({ length: count }, (_, n) => ({
        title: `T${n}`,
        url: `https://a.example/${n}`,
        content: 's',
      })),
    }),
    { 'content-type': 'application/json' },
  )
const script = `<!doctype html><body><div id=app></div><script>${'x'.repeat(5_000)}</script>`

let server: Awaited<ReturnType<typeof startWebServer>>
beforeAll(async () => {
  server = await startWebServer({
    '/page': html('<title>T</title><p>Press the button.'),
    '/empty': sends('', { 'content-type': 'text/plain' }),
    '/script': html(script),
    '/long': sends('word '.repeat(12_000), { 'content-type': 'text/plain' }),
    '/secret': sends(`key ${secret} here`, { 'content-type': 'text/plain' }),
    '/whole/sitemap.xml': (request, response) =>
      sends(`<urlset><url><loc>http://${request.headers.host}/whole/a</loc></url></urlset>`)(
        request,
        response,
      ),
    '/none/search': found(0),
    '/one/search': found(1),
    '/few/search': found(5),
    '/half/search': sends(
      '{"results":[{"title":"T","url":"https://a.example/"}],"unresponsive_engines":[["bing","suspended"]]}',
      { 'content-type': 'application/json' },
    ),
  })
})
afterAll(() => server.close())

type Case = { args: object; given?: Partial<ToolResources>; says: readonly unknown[] }

const sites = () => ({
  sites: { list: async () => [siteAt(`${server.origin}/`)] },
})
const at = (path: string, says: readonly unknown[]): Case => ({
  args: { url: `${server.origin}${path}` },
  given: sites(),
  says,
})
const searched = (path: string, says: readonly unknown[]): Case => ({
  args: { query: 'x', count: 5 },
  given: { searchEndpoints: async () => [searchEndpointAt('searxng', `${server.origin}${path}`)] },
  says,
})
const unread = expect.stringContaining('script')

/** For each tool that reads the web: what it reads, and the parts that its result then says are missing. */
const cases: Readonly<Record<string, () => Record<string, Case>>> = {
  fetch_url: () => ({
    whole: at('/page', []),
    empty: at('/empty', []),
    filtered: at('/script', [unread]),
    cut: at('/long', [expect.stringMatching(/^10.000 of 60.000 characters$/)]),
    redacted: at('/secret', ['1 part']),
  }),
  get_page_content: () => ({
    whole: at('/page', []),
    filtered: at('/script', [unread]),
    cut: at('/long', [expect.stringMatching(/^52.000 of 60.000 characters$/)]),
    redacted: at('/secret', ['1 part']),
  }),
  get_page_tree: () => ({
    whole: {
      args: { site: 'docs' },
      given: {
        sites: {
          list: async () => [
            siteAt(`${server.origin}/whole/`, { sitemap: `${server.origin}/whole/sitemap.xml` }),
          ],
        },
      },
      says: [],
    },
  }),
  probe_url: () => ({
    whole: at('/page', []),
    cut: at('/long', ['the rest of the body']),
    redacted: at('/secret', ['1 part']),
  }),
  web_search: () => ({
    empty: searched('/none', []),
    whole: searched('/one', []),
    filtered: searched('/half', [expect.stringContaining('bing')]),
  }),
}

const needs = new Set(['host', 'site', 'search-endpoint'])
const ofWeb = builtinTools.filter((tool) => !tool.isPlain && needs.has(tool.needs ?? ''))

test.each(ofWeb.map((tool) => [tool.name, tool] as const))(
  'T10: %s says that its result is complete, or which parts it does not have',
  async (name, tool) => {
    const each = cases[name]?.() ?? expect.fail(`There is no case for ${name}.`)
    for (const [state, { args, given, says }] of Object.entries(each)) {
      const resources = { web: memoryWeb([server.origin]), ...given }
      const { leftOut }: ToolResult = await callToolDirectly(tool, args, resources)
      expect(
        leftOut?.map(({ what, why }) => [what, why]),
        state,
      ).toEqual(says.map((what) => [what, expect.stringMatching(/^[^\n]{5,200}$/)]))
    }
  },
)
