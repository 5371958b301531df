import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtinTools } from './builtin/index.generated'
import type { ToolDefinition } from './define-tool'
import { toExtraTool } from './to-extra-tool'

/**
 * Tools an operator keeps in a folder of their own: each `*.mjs` there default-exports one plain object, with
 * the fields to-extra-tool.ts names. Rejects with one sentence that names the file when a module is not usable, or when its name belongs
 * to a built-in or to another file: a tool that silently replaced another would be a hole in the gates.
 */
export async function loadExtraTools(directory: string): Promise<ToolDefinition[]> {
  const folder = resolve(directory)
  const files = (await readFolder(folder)).filter((file) => file.endsWith('.mjs')).sort()
  const owners = new Map(builtinTools.map((tool) => [tool.name, 'a built-in tool']))
  const tools: ToolDefinition[] = []
  for (const file of files) {
    const tool = toExtraTool(file, await importModule(folder, file))
    const owner = owners.get(tool.name)
    if (owner !== undefined) {
      throw new Error(
        `The extra tool ${file} calls itself ${tool.name}, the name of ${owner}. Rename it.`,
      )
    }
    owners.set(tool.name, `the extra tool ${file}`)
    tools.push(tool)
  }
  return tools
}

async function readFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (cause) {
    throw new Error(
      `The folder of extra tools, ${folder}, cannot be read. Check TOOLGATE_EXTRA_TOOLS_DIR.`,
      { cause },
    )
  }
}

/** The bundler must leave this import alone: the module is the operator's, and known only when the server runs. */
async function importModule(folder: string, file: string): Promise<unknown> {
  const address = pathToFileURL(resolve(/* turbopackIgnore: true */ folder, file)).href
  try {
    const module: { default?: unknown } = await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ address
    )
    return module.default
  } catch (cause) {
    throw new Error(`The extra tool ${file} cannot be loaded: ${String(cause)}`, { cause })
  }
}
