import { createHash } from 'node:crypto'
import { cacheMarks } from '@/lib/engines/providers/request/cache-marks'
import type { ModelRequest } from '@/lib/protocol/model/message'

/** Cache fields of a request to OpenAI. `marksSystem`: a breakpoint follows the system text. */
type Caching = {
  fields: {
    prompt_cache_options?: { mode: 'implicit' | 'explicit' }
    prompt_cache_key?: string
  }
  marksSystem: boolean
}

const nothing: Caching = { fields: {}, marksSystem: false }

/** Names a place up to which the provider keeps what it read. */
export const cacheBreakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } } as const

/** Models that can be told what to keep: GPT-5.6 and later. A write costs more than input there. */
const steerable = /(?:^|\/)gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|1\d)(?!\d)/

/**
 * Returns how a request asks for caching (SPEC R15d): with its own breakpoint behind the system text, and with the
 * provider's at the newest message. Only breakpoints of the request count in the mode `explicit`, so that without one
 * nothing is kept.
 */
export function openAiCaching(request: ModelRequest): Caching {
  if (!steerable.test(request.modelId)) return nothing
  const marks = cacheMarks(request)
  if (!marks.prefix && !marks.history) {
    return { fields: { prompt_cache_options: { mode: 'explicit' } }, marksSystem: false }
  }
  const mode = marks.history ? 'implicit' : 'explicit'
  const fields = { prompt_cache_options: { mode }, prompt_cache_key: keyOf(request) } as const
  return { fields, marksSystem: marks.prefix && request.system !== '' }
}

/** Returns what requests with the same beginning have in common, so that one server answers them. */
function keyOf({ system, tools }: ModelRequest): string {
  const beginning = JSON.stringify([system, tools.map(({ name }) => name)])
  return `toolgate-${createHash('sha256').update(beginning).digest('hex').slice(0, 32)}`
}

/** Said when a server refuses these fields and caching is to be off. */
export const withoutCacheOptions =
  'The provider does not let a request switch prompt caching off, so it may keep the beginning of this conversation.'

export function isCachingRefused(body: string): boolean {
  return /prompt_cache_(?:options|breakpoint|key)/.test(body)
}
