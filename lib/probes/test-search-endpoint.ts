import 'server-only'
import { z } from 'zod'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { requireSearchEndpoint } from '@/lib/domains/search-endpoints/stored'
import { changed, verb } from '@/lib/edge/verb'
import { askEndpoint, mostAnswerBytes } from '@/lib/engines/tools/web/ask-endpoint'
import { upTo } from '@/lib/engines/tools/web/web-request'
import { db } from '@/lib/kernel/db'
import { toAsk } from '@/lib/toolset/ports/search-endpoints'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'

const query = 'open source software'

/** Asks a search endpoint one query. `words` say what came back, or what is wrong and what to do. */
export const testSearchEndpoint = verb({
  name: 'search-endpoint.test',
  role: 'admin',
  scope: searchEndpoints.scopes.write,
  summary: 'Sends one query to a search endpoint, also when it is switched off.',
  input: z.object({ id: z.string() }),
  output: z.object({ isAnswered: z.boolean(), results: z.int(), words: z.string() }),
  transaction: 'later',
  run: async ({ change }, { id }) => {
    const row = await requireSearchEndpoint(db(), id)
    await change(async () => changed(undefined, { subject: row.id, after: { name: row.name } }))
    const outcome = await askEndpoint(
      toAsk(db(), row),
      { query, count: 5 },
      { meter: upTo(mostAnswerBytes), signal: new AbortController().signal },
    )
    if (outcome.type === 'failed') return { isAnswered: false, results: 0, words: outcome.why }
    const { results, silent } = outcome
    const first = results[0] ? ` The first one: ${visibleText(results[0].title)}` : ''
    const without = silent === '' ? '' : ` These engines did not answer: ${silent}.`
    const words = `It answered the query “${query}” with ${countOf(results.length, 'result')}.${first}${without}`
    return { isAnswered: true, results: results.length, words }
  },
})
