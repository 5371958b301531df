import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder of the tool, which the server also loads (TOOLGATE_EXTRA_TOOLS_DIR). */
export const toolsFolder = path.resolve('tools/bench/tools')

/** The tool from its file, which the hand-written loop calls directly. */
export type PageTool = {
  name: string
  description: string
  parameters: Record<string, unknown>
  execute: (args: { page: number }) => Promise<{ content: string }>
}

export async function loadPageTool(): Promise<PageTool> {
  const address = pathToFileURL(path.join(toolsFolder, 'read-page.mjs')).href
  const module: { default: PageTool } = await import(address)
  return module.default
}
