import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtinTools } from './builtin/index.generated'
import { type ToolDefinition, toolName } from './define-tool'
import { toExtraTool, toolNotLoaded } from './to-extra-tool'

/**
 * Loads the tools of an operator's folder: each `*.mjs` default-exports one plain object, with the fields that
 * to-extra-tool.ts names. A file that cannot be used becomes a tool that is not loaded, so that everything else works. So
 * does one whose name belongs to a built-in tool or another file, because a tool that silently replaced another would bypass
 * the gates. Never rejects, and waits no longer than `longestLoadMs`.
 */
export async function loadExtraTools(
  directory: string,
  longestLoadMs = 10_000,
): Promise<ToolDefinition[]> {
  const folder = resolve(directory)
  const files = await readFolder(folder)
  if (files === null) return [folderNotRead(folder)]
  const found = await Promise.all(files.map((file) => loadFile({ folder, file, longestLoadMs })))
  const owners = new Map(builtinTools.map((tool) => [tool.name, 'a built-in tool']))
  return found.map((tool, at) => {
    const file = files[at] ?? ''
    const owner = owners.get(tool.name)
    if (owner !== undefined) return nameTaken(tool, file, owner)
    owners.set(tool.name, `the extra tool ${file}`)
    return tool
  })
}

/** Returns whether a tool can be named by models, rules and skills: a file without a name of its own is only listed. */
export function hasName({ name }: ToolDefinition): boolean {
  return toolName.test(name)
}

/** Returns the file as a tool that is not loaded. It is listed by its file, because the name is another tool's. */
function nameTaken(tool: ToolDefinition, file: string, owner: string): ToolDefinition {
  const taken = `${file} calls itself ${tool.name}, the name of ${owner}. Rename it.`
  return { ...toolNotLoaded(file, tool, tool.notLoaded ?? taken), name: file }
}

function folderNotRead(folder: string): ToolDefinition {
  const reason = `The folder of extra tools, ${folder}, cannot be read. Check TOOLGATE_EXTRA_TOOLS_DIR.`
  return { ...toolNotLoaded(folder, null, reason), name: folder }
}

async function readFolder(folder: string): Promise<string[] | null> {
  try {
    return (await readdir(folder)).filter((file) => file.endsWith('.mjs')).sort()
  } catch {
    return null
  }
}

type Loading = { folder: string; file: string; longestLoadMs: number }

async function loadFile(loading: Loading): Promise<ToolDefinition> {
  const { folder, file } = loading
  try {
    return toExtraTool(file, await importModule(loading))
  } catch (error) {
    const name = await nameInText(resolve(folder, file))
    return toolNotLoaded(file, { name }, `${file} cannot be loaded: ${textOf(error)}`)
  }
}

/** Returns what a module threw as text: it may be anything. */
function textOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'it threw what is no error.'
  }
}

/** Imports a module; rejects when it takes too long. */
async function importModule({ folder, file, longestLoadMs }: Loading): Promise<unknown> {
  const address = pathToFileURL(resolve(folder, file)).href
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`It did not finish loading within ${longestLoadMs / 1000} seconds.`)
    timer = setTimeout(() => reject(error), longestLoadMs)
  })
  try {
    const module: { default?: unknown } = await Promise.race([
      import(/* @vite-ignore */ address),
      late,
    ])
    return module.default
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the name that a module seems to give its tool. One that cannot be loaded cannot be asked. */
async function nameInText(path: string): Promise<string | undefined> {
  try {
    return /\bname:\s*(['"`])([a-z0-9_]+)\1/.exec(await readFile(path, 'utf8'))?.[2]
  } catch {
    return undefined
  }
}
