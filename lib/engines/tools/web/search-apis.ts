import { z } from 'zod'
import { cleanText } from '@/lib/protocol/clean-text'
import { nestedTooDeeply } from '@/lib/protocol/json-text'
import { type SearchKind, searchKindWords } from '@/lib/protocol/search-kind'
import { parseWebAddress } from '@/lib/protocol/web-origin'
import type { Question } from './web-request'

type Headers = Question['headers']

export type Search = { query: string; count: number }
export type Found = { title: string; url: URL; snippet: string }

const most = { title: 200, url: 1_000, snippet: 600 }
/** How many results of an answer are looked at: some may be unusable. */
const mostLookedAt = 100

/** Returns the request that asks a service, which has the key in a header. */
export function searchRequest(
  { kind, address, key }: { kind: SearchKind; address: string; key: string | null },
  { query, count }: Search,
): { url: URL; question: Question } {
  const url = new URL(address)
  const accept = { accept: 'application/json' }
  const bearer: Headers = key === null ? {} : { authorization: `Bearer ${key}` }
  switch (kind) {
    case 'searxng':
      url.search = String(new URLSearchParams({ q: query, format: 'json' }))
      return { url, question: { method: 'GET', headers: { ...accept, ...bearer } } }
    case 'brave': {
      const asked = { q: query, count: String(count), text_decorations: 'false' }
      url.search = String(new URLSearchParams(asked))
      const token: Headers = key === null ? {} : { 'x-subscription-token': key }
      return { url, question: { method: 'GET', headers: { ...accept, ...token } } }
    }
    case 'tavily': {
      const headers = { ...accept, 'content-type': 'application/json', ...bearer }
      const body = JSON.stringify({ query, max_results: count })
      return { url, question: { method: 'POST', headers, body } }
    }
    default:
      return kind satisfies never
  }
}

/** Reads the results of an answer, or says what is wrong with it. Results without an address of the web are left out. */
export function readResults(
  kind: SearchKind,
  content: Uint8Array,
): { results: Found[] } | { trouble: string } {
  const text = new TextDecoder().decode(content)
  if (nestedTooDeeply(text)) return { trouble: 'Its answer is nested too deeply to be read.' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { trouble: notJson(kind) }
  }
  const items = answers[kind].safeParse(value).data
  if (items) return { results: items.slice(0, mostLookedAt).flatMap(resultOf) }
  const words = searchKindWords[kind]
  return { trouble: `Its answer is none of ${words}. Check the kind and the address.` }
}

function notJson(kind: SearchKind): string {
  const where =
    kind === 'searxng'
      ? 'Add json to search.formats in the settings of SearXNG.'
      : 'Check its address.'
  return `It did not answer with JSON. ${where}`
}

const Items = z.array(z.unknown())
const plainAnswer = z.object({ results: Items }).transform(({ results }) => results)

const answers: Record<SearchKind, z.ZodType<unknown[]>> = {
  searxng: plainAnswer,
  tavily: plainAnswer,
  // Without results, the part for the web is missing.
  brave: z.union([
    z.object({ web: z.object({ results: Items }) }).transform(({ web }) => web.results),
    z.object({ type: z.literal('search'), web: z.undefined().optional() }).transform(() => []),
  ]),
}

const Item = z.object({
  url: z.string(),
  title: z.string().catch(''),
  content: z.string().catch(''),
  description: z.string().catch(''),
})

function resultOf(item: unknown): Found[] {
  const { data } = Item.safeParse(item)
  if (!data) return []
  const parsed = parseWebAddress(data.url)
  if ('refusal' in parsed || parsed.url.href.length > most.url) return []
  const { url } = parsed
  const snippet = oneLine(data.description || data.content, most.snippet)
  return [{ url, title: oneLine(data.title, most.title) || url.host, snippet }]
}

/** Returns text on one line, so that no result can look like several. */
function oneLine(text: string, longest: number): string {
  // What is cut away is not worth cleaning.
  const start = cleanText(text.slice(0, longest * 4))
  const line = start.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}…` : line
}
