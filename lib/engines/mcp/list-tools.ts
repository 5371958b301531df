import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { formatCount } from '@/lib/protocol/format'
import { mebibyte, ServerTrouble } from './server-address'

const pageMs = 30_000

/** The most tools, pages of them and bytes of their definitions that are read of one server. */
const most = { tools: 1_000, pages: 100, bytes: 8 * mebibyte }

/** How long a list is believed: what its server says, within these limits, and what counts where it says nothing. */
const fresh = { leastMs: 10_000, usualMs: 5 * 60_000, mostMs: 60 * 60_000 }

const Page = z.looseObject({
  tools: z.array(z.unknown()),
  ttlMs: z.number().nonnegative().optional().catch(undefined),
  nextCursor: z.string().max(4_096).optional(),
})

/** The definitions as the server sent them, and how long they are believed without a word of a change. */
export type ListedTools = { tools: unknown[]; freshMs: number }

/** Reads the definitions page by page. A server may not name the same page twice, or send more than `most`. */
export async function listTools(client: Client, signal?: AbortSignal): Promise<ListedTools> {
  const tools: unknown[] = []
  let freshMs = fresh.mostMs
  const seen = new Set<string>()
  let bytes = 0
  let cursor: string | undefined
  do {
    const params = cursor === undefined ? {} : { cursor }
    const limits = { timeout: pageMs, ...(signal && { signal }) }
    const page = await client.request({ method: 'tools/list', params }, Page, limits)
    bytes += JSON.stringify(page.tools).length
    tools.push(...page.tools)
    freshMs = Math.min(freshMs, page.ttlMs ?? fresh.usualMs)
    cursor = page.nextCursor
    if (cursor === undefined) break
    if (seen.has(cursor)) throw tooMany('names the same page of its tools again and again')
    seen.add(cursor)
    if (tools.length > most.tools) throw tooMany(`has more than ${formatCount(most.tools)} tools`)
    if (seen.size >= most.pages) throw tooMany(`has more than ${most.pages} pages of tools`)
    if (bytes > most.bytes) throw tooMany(`has more than ${most.bytes / mebibyte} MiB of tools`)
  } while (cursor !== undefined)
  if (tools.length > most.tools) throw tooMany(`has more than ${formatCount(most.tools)} tools`)
  return { tools, freshMs: Math.max(freshMs, fresh.leastMs) }
}

function tooMany(what: string): ServerTrouble {
  return new ServerTrouble('too-much', `The server ${what}, so they were not read.`)
}
