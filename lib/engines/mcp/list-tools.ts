import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { mebibyte, ServerTrouble } from './server-address'

const pageMs = 30_000

/** The most tools, pages of them and bytes of their definitions that are read of one server. */
const most = { tools: 1_000, pages: 100, bytes: 8 * mebibyte }

const Page = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().max(4_096).optional(),
})

/** Reads the definitions page by page. A server may not name the same page twice, or send more than `most`. */
export async function listTools(client: Client, signal?: AbortSignal): Promise<unknown[]> {
  const tools: unknown[] = []
  const seen = new Set<string>()
  let bytes = 0
  let cursor: string | undefined
  do {
    const params = cursor === undefined ? {} : { cursor }
    const limits = { timeout: pageMs, ...(signal && { signal }) }
    const page = await client.request({ method: 'tools/list', params }, Page, limits)
    bytes += JSON.stringify(page.tools).length
    tools.push(...page.tools)
    cursor = page.nextCursor
    if (cursor === undefined) break
    if (seen.has(cursor)) throw tooMany('names the same page of its tools again and again')
    seen.add(cursor)
    if (tools.length > most.tools) throw tooMany(`has more than ${most.tools} tools`)
    if (seen.size >= most.pages) throw tooMany(`has more than ${most.pages} pages of tools`)
    if (bytes > most.bytes) throw tooMany(`has more than ${most.bytes / mebibyte} MiB of tools`)
  } while (cursor !== undefined)
  if (tools.length > most.tools) throw tooMany(`has more than ${most.tools} tools`)
  return tools
}

function tooMany(what: string): ServerTrouble {
  return new ServerTrouble('too-much', `The server ${what}, so they were not read.`)
}
