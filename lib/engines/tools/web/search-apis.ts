import { z } from 'zod'
import { parseWebAddress } from '@/lib/domains/hosts/shared/web-origin'
import { type SearchKind, searchKindWords } from '@/lib/domains/search-endpoints/shared/search-kind'
import type { LeftOut } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { nestedTooDeeply } from '@/lib/words/json-text'
import { notShown } from '../left-out'
import { unescaped } from '../sites/unescaped'
import type { Question } from './web-request'

type Headers = Question['headers']

export type Search = { query: string; count: number }
/** `date`: as the service says it; "" = it does not. */
export type SearchResult = { title: string; url: URL; date: string; snippet: string }

const most = { title: 200, url: 1_000, date: 60, snippet: 600 }
/** Maximum results of an answer that are read: some may be unusable. */
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
      const input = { q: query, count: String(count), text_decorations: 'false' }
      url.search = String(new URLSearchParams(input))
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

/** `silent`: the engines of the service that did not answer, as words; "" = all did. */
export type ReadResults = { results: SearchResult[]; leftOut: LeftOut[]; silent: string }

/**
 * Reads the results of an answer, as many as were asked for, or says what is wrong with it; `isForeign`: in words of which the service
 * wrote some. Results without an address of the web are left out, and so is the key, should a service repeat it.
 */
export function readResults(
  { kind, key }: { kind: SearchKind; key: string | null },
  content: Uint8Array,
  count: number,
): ReadResults | { problem: string; isForeign: boolean } {
  const text = new TextDecoder().decode(content)
  const refused = (problem: string) => ({ problem, isForeign: false })
  if (nestedTooDeeply(text)) return refused('Its answer is nested too deeply to be read.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refused(notJson(kind))
  }
  const answer = answers[kind].safeParse(value).data
  if (!answer) {
    const words = searchKindWords[kind]
    return refused(`Its answer is none of ${words}. Check the kind and the address.`)
  }
  const silent = enginesOf(answer.unresponsive_engines, key)
  if (answer.results.length === 0 && silent !== '') {
    return { problem: `None of its engines answered: ${silent}.`, isForeign: true }
  }
  const looked = answer.results.slice(0, mostLookedAt)
  const usable = looked.flatMap((item) => resultOf(item, key))
  const results = usable.slice(0, count)
  const shown = {
    shown: results.length,
    total: usable.length + answer.results.length - looked.length,
  }
  const unusable = looked.length - usable.length
  return { results, silent, leftOut: leftOutOf(results, shown, { count, unusable, silent }) }
}

function leftOutOf(
  results: readonly SearchResult[],
  shown: { shown: number; total: number },
  { count, unusable, silent }: { count: number; unusable: number; silent: string },
): LeftOut[] {
  const ends = results
    .flatMap(({ title, snippet }) => [title, snippet])
    .filter((text) => text.endsWith(cutMark)).length
  const all: [boolean, string, string][] = [
    [unusable > 0, countOf(unusable, 'result'), noAddress],
    [silent !== '', `results of ${silent}`, 'these engines of the search endpoint did not answer'],
    [ends > 0, `the ${ends === 1 ? 'end' : 'ends'} of ${countOf(ends, 'text')}`, mostWords],
  ]
  return [
    ...notShown(shown, ['result', 'results'], `this call asked for ${count}`),
    ...all.flatMap(([isTrue, what, why]) => (isTrue ? [{ what, why }] : [])),
  ]
}

const noAddress = 'they have no address of http or https that can be used'
const mostWords = `a title has at most ${most.title} characters and a snippet ${most.snippet}`

const mostEngines = 10
const plainWords = /^[\p{L}\p{N} .,:()_-]{1,80}$/u

/** Returns the names of engines that did not answer, with their reasons, where both are plain words. */
function enginesOf(engines: readonly unknown[], key: string | null): string {
  const named = new Set<string>()
  for (const engine of engines) {
    const [name, reason] = Array.isArray(engine) ? engine.map(String) : []
    const isPlain = (text: string) => plainWords.test(text) && withoutKey(text, key) === text
    if (name === undefined || !isPlain(name) || named.size === mostEngines) continue
    named.add(reason !== undefined && isPlain(reason) ? `${name} (${reason})` : name)
  }
  const others = engines.length - named.size
  const words = [...named].join(', ')
  if (words === '') return others > 0 ? countOf(others, 'engine') : ''
  return others > 0 ? `${words} and ${countOf(others, 'other')}` : words
}

function notJson(kind: SearchKind): string {
  const where =
    kind === 'searxng'
      ? 'Add json to search.formats in the settings of SearXNG.'
      : 'Check its address.'
  return `It did not answer with JSON. ${where}`
}

/** `unresponsive_engines`: those of SearXNG that failed or are suspended. */
type Answer = { results: unknown[]; unresponsive_engines: unknown[] }

const Items = z.array(z.unknown())
const plainAnswer = z.object({ results: Items, unresponsive_engines: Items.catch([]) })

const answers: Record<SearchKind, z.ZodType<Answer>> = {
  searxng: plainAnswer,
  tavily: plainAnswer,
  // Without results, the part for the web is missing.
  brave: z
    .union([
      z.object({ web: z.object({ results: Items }) }),
      z.object({ type: z.literal('search'), web: z.undefined().optional() }),
    ])
    .transform(({ web }) => ({ results: web?.results ?? [], unresponsive_engines: [] })),
}

const Text = z.string().catch('')
const Item = z.object({
  url: z.string(),
  title: Text,
  content: Text,
  description: Text,
  publishedDate: Text,
  published_date: Text,
  age: Text,
  page_age: Text,
})

function resultOf(item: unknown, key: string | null): SearchResult[] {
  const { data } = Item.safeParse(item)
  if (!data) return []
  const parsed = parseWebAddress(data.url)
  if ('refusal' in parsed || parsed.url.href.length > most.url) return []
  const { url } = parsed
  if (withoutKey(url.href, key) !== url.href) return []
  const line = (text: string, longest: number) => oneLine(text, key, longest)
  const dates = [data.publishedDate, data.published_date, data.age, data.page_age]
  const date = line([...new Set(dates)].filter(Boolean).join(', '), most.date)
  const snippet = line(data.description || data.content, most.snippet)
  return [{ url, title: line(data.title, most.title) || url.host, date, snippet }]
}

/** A shorter key would be found in words that have nothing to do with it. */
const shortestKey = 8

function withoutKey(text: string, key: string | null): string {
  return key === null || key.length < shortestKey ? text : text.replaceAll(key, '…')
}

const cutMark = '…'
/** Tags that services put around words that were found, or leave of a page; those in the group stand in a line. Others may be code. */
const tag =
  /<\/?(?:(a|abbr|b|big|code|em|font|i|kbd|mark|q|s|small|span|strong|su[bp]|u|wbr)|br|div|h[1-6]|hr|img|li|ol|p|pre|script|style|table|t[dhr]|ul)(?:[\s/][^<>]*)?>/gi

/** Returns text on one line, so that no result can look like several, without tags, and with entities undone. */
function oneLine(text: string, key: string | null, longest: number): string {
  // Cut before cleaning, so that the part that is dropped costs nothing.
  const plain = text.slice(0, longest * 4).replace(tag, (_, inLine) => (inLine ? '' : ' '))
  const start = cleanText(unescaped(plain))
  const line = withoutKey(start.replace(/[\s\p{Cc}]+/gu, ' ').trim(), key)
  return line.length > longest ? `${line.slice(0, longest - 1).toWellFormed()}${cutMark}` : line
}
