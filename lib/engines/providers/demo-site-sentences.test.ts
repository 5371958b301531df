import { expect, it } from 'vitest'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import { understand } from './demo-understand'

it.each([
  ['Which pages does the site docs have?', 'get_page_tree', { site: 'docs' }],
  ['List the pages of docs', 'get_page_tree', { site: 'docs' }],
  ['How many pages are in the site handbook', 'get_page_tree', { site: 'handbook' }],
  [
    'Show the content of the page https://example.org/docs/start',
    'get_page_content',
    { url: 'https://example.org/docs/start' },
  ],
  [
    'Read the page https://example.org/docs/ of the site docs',
    'get_page_content',
    { url: 'https://example.org/docs/' },
  ],
  ['Probe https://example.org/docs/', 'probe_url', { url: 'https://example.org/docs/' }],
  ['How does https://example.org answer?', 'probe_url', { url: 'https://example.org' }],
])('%s', (prompt, name, args) => {
  const [call] = understand(prompt, builtinTools).calls
  expect([call?.name, JSON.parse(call?.argumentsText ?? '{}')]).toEqual([name, args])
})
