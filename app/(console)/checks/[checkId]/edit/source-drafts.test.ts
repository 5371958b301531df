import { expect, test } from 'vitest'
import { sourceDrafts, sourcesOf } from './source-drafts'

test('tools without a source give recorded results, and the others stay as they are', () => {
  const sources = {
    write_note: { type: 'live' },
    get_time: { type: 'fixed', content: 'Noon.' },
    fetch_logs: { type: 'refused' },
  } as const
  const drafts = sourceDrafts(['search_runs', 'get_time'], sources)
  expect(drafts.map(({ name, source }) => `${name} ${source}`)).toEqual([
    'fetch_logs refused',
    'get_time fixed',
    'search_runs recorded',
    'write_note live',
  ])
  expect(sourcesOf(drafts)).toEqual(sources)
})
