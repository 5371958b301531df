import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { formatCount } from '@/lib/words/format'
import { mebibyte, ServerError, serverErrorWords } from './transport/server-address'

const pageMs = 30_000

/** The most tools, pages of them and bytes of their definitions that are read of one server. */
const most = { tools: 1_000, pages: 100, bytes: 8 * mebibyte }

/** Bounds and default for the time to live of a tool list. */
const fresh = { leastMs: 10_000, usualMs: 5 * 60_000, mostMs: 60 * 60_000 }

const Page = z.looseObject({
  tools: z.array(z.unknown()),
  ttlMs: z.number().nonnegative().optional().catch(undefined),
  nextCursor: z.unknown().optional(),
})
const longestCursor = 4_096

/**
 * The definitions as the server sent them, and how long they are believed without a word of a change. `incomplete`: why pages
 * are missing behind them; null = these are all.
 */
export type ListedTools = { tools: unknown[]; freshMs: number; incomplete: string | null }

type Listing = {
  signal?: AbortSignal | undefined
  /** Returns what an error means. */
  toServerError: (error: unknown) => unknown
}

/**
 * Reads the definitions page by page. A page that cannot be had leaves those before it, unless it is the first or the
 * connection ended. A server may not send more than `most`.
 */
export async function listTools(
  client: Client,
  { signal, toServerError }: Listing,
): Promise<ListedTools> {
  const tools: unknown[] = []
  let freshMs = fresh.mostMs
  let incomplete: string | null = null
  const seen = new Set<string>()
  let bytes = 0
  let cursor: string | undefined
  do {
    const params = cursor === undefined ? {} : { cursor }
    const limits = { timeout: pageMs, ...(signal && { signal }) }
    const page = await client
      .request({ method: 'tools/list', params }, Page, limits)
      .catch((error: unknown) => {
        const serverError = toServerError(error)
        if (cursor === undefined || signal?.aborted || !leavesOthers(serverError)) throw serverError
        return serverError
      })
    if (page instanceof ServerError) {
      incomplete = `Page ${seen.size + 1} could not be read. ${serverErrorWords(page)}`
      break
    }
    bytes += JSON.stringify(page.tools).length
    tools.push(...page.tools)
    freshMs = Math.min(freshMs, page.ttlMs ?? fresh.usualMs)
    if (page.nextCursor === undefined || page.nextCursor === null) break
    const next = nextOf(page.nextCursor, seen)
    if ('fault' in next) {
      incomplete = next.fault
      break
    }
    cursor = next.cursor
    seen.add(cursor)
    if (tools.length > most.tools) throw tooMany(`has more than ${formatCount(most.tools)} tools`)
    if (seen.size >= most.pages) throw tooMany(`has more than ${most.pages} pages of tools`)
    if (bytes > most.bytes) throw tooMany(`has more than ${most.bytes / mebibyte} MiB of tools`)
  } while (cursor !== undefined)
  if (tools.length > most.tools) throw tooMany(`has more than ${formatCount(most.tools)} tools`)
  // An incomplete list is read again soon.
  if (incomplete !== null) freshMs = Math.min(freshMs, fresh.usualMs)
  return { tools, freshMs: Math.max(freshMs, fresh.leastMs), incomplete }
}

function nextOf(given: unknown, seen: ReadonlySet<string>): { cursor: string } | { fault: string } {
  if (typeof given !== 'string' || given.length > longestCursor) {
    const words = `names page ${seen.size + 2} with something else than a text of at most ${formatCount(longestCursor)} characters`
    return { fault: `The server ${words}.` }
  }
  if (!seen.has(given)) return { cursor: given }
  return { fault: 'The server names the same page of its tools again and again.' }
}

/** Returns whether a connection and what was read over it before can be used after this. */
function leavesOthers(error: unknown): error is ServerError {
  return error instanceof ServerError && pageFaults.has(error.code)
}

const pageFaults: ReadonlySet<ServerError['code']> = new Set([
  'refused',
  'timed-out',
  'not-mcp',
  'asks-back',
])

function tooMany(what: string): ServerError {
  return new ServerError('too-much', `The server ${what}, so they were not read.`)
}
