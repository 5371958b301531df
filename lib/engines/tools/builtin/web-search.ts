import { z } from 'zod'
import { originsFor } from '@/lib/domains/hosts/shared/web-origin'
import { searchKindWords } from '@/lib/domains/search-endpoints/shared/search-kind'
import { defineTool } from '../define-tool'
import type { WebAccess } from '../tool-resources'
import { evidenceOf } from '../web/evidence'
import type { SearchResult } from '../web/search-apis'
import { searchWeb } from '../web/search-web'

export default defineTool({
  name: 'web_search',
  description:
    'Searches the web and returns numbered results, each with title, address, date where it is known, and snippet. Use it to find pages when you do not ' +
    'know an address, or for what may have changed. Snippets are short: read a result that is marked as readable with fetch_url ' +
    'before you rely on it.',
  group: 'web',
  parameters: z.object({
    query: z.string().trim().min(1).max(400).describe('A few words, as in a search box.'),
    count: z.int().min(1).max(10).default(5).describe('How many results to return.'),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 50_000,
  needs: 'search-endpoint',
  limits: [
    '10 results, of which a title has 200 characters and a snippet 600',
    '1 MiB and 15 seconds a request',
    '3 search endpoints a call',
    '50 MiB and 20 hosts a run',
  ],
  example: { query: 'model context protocol specification' },
  execute: async (
    { query, count },
    { signal, actor, runId, resources: { web, searchEndpoints } },
  ) => {
    const endpoints = await searchEndpoints()
    const found = await searchWeb({ query, count }, endpoints, {
      runId,
      person: actor.userId,
      web,
      signal,
    })
    const { results, leftOut, reply, endpoint, failures } = found
    const facts = [
      ['Search endpoint', endpoint.name],
      ['Kind', searchKindWords[endpoint.kind]],
      ...failures.map(({ name, why }) => ['Failed before', `${name}: ${why}`] as const),
      ['Status', String(reply.status)],
      ['Results', String(results.length)],
    ] as const
    return {
      content: await textOf(results, web, leftOut.length > 0),
      leftOut,
      artifacts: [evidenceOf(facts, reply.content)],
    }
  },
})

/** Returns the results as the model reads them, with those marked whose host is listed. */
async function textOf(
  results: readonly SearchResult[],
  web: WebAccess,
  isPart: boolean,
): Promise<string> {
  if (results.length === 0) {
    return `${isPart ? 'None of the results can be used.' : 'No results.'} Try other words.`
  }
  const listed = await Promise.all(results.map(({ url }) => web.findHost(originsFor(url))))
  const entries = results.map(({ title, url, date, snippet }, index) => {
    const mark = listed[index] ? ' (readable with fetch_url)' : ''
    const dated = date && `Dated ${date}`
    const lines = [`${index + 1}. ${title}`, `${url.href}${mark}`, dated, snippet]
    return lines.filter(Boolean).join('\n')
  })
  return entries.join('\n\n')
}
