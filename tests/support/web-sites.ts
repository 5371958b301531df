import { afterEach } from 'vitest'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import type { UsableSite } from '@/lib/engines/tools/site-resources'
import type { ToolResources } from '@/lib/engines/tools/tool-resources'
import { callToolDirectly } from './call-tool-directly'
import { memoryWeb } from './memory-web'
import { type Served, sends, startWebServer } from './web-server'

export type WebServer = Awaited<ReturnType<typeof startWebServer>>

const opened: WebServer[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

/** Starts a host that ends with the test, with which no other test shares failures. */
export async function startHost(pages: Readonly<Record<string, Served>>): Promise<WebServer> {
  const server = await startWebServer(pages)
  opened.push(server)
  return server
}

/** Returns what sends a page. */
export function html(text: string): Served {
  return sends(text, { 'content-type': 'text/html; charset=utf-8' })
}

/** Returns a site in memory. */
export function siteAt(address: string, more: Partial<UsableSite> = {}): UsableSite {
  return {
    id: 'site',
    name: 'docs',
    address,
    sitemap: null,
    crawl: true,
    privateAddressAllowed: true,
    ...more,
  }
}

/** Calls a tool for somebody who may use these sites. Returns its content, which is an object, and beside it what is left out. */
export async function callWithSites(
  tool: ToolDefinition,
  args: object,
  sites: UsableSite[],
  more: Partial<ToolResources> = {},
) {
  const resources = { web: memoryWeb(), sites: { list: async () => sites }, ...more }
  const { content, leftOut } = await callToolDirectly(tool, args, resources)
  return { leftOut, ...Object(content) }
}

/** Returns who asks in a run of its own. */
export function newAsker() {
  return { runId: 'run', person: 'ada', web: memoryWeb(), signal: new AbortController().signal }
}
