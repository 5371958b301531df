import { listTools } from '@/lib/toolset/list-tools'
import { resetTool, switchTool } from '@/lib/toolset/switch-tool'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'

export type ToolOptions = CommonOptions & { reason?: string }

export async function printTools(options: ToolOptions): Promise<void> {
  const tools = await listTools(await actingCtx(options.as))
  if (options.json) return printJson(tools)
  printTable(
    ['NAME', 'GROUP', 'STATE', 'BY', 'EFFECT', 'DATA', 'TOKENS'],
    tools.map((tool) => [
      tool.name,
      tool.group,
      stateOf(tool),
      tool.override?.changedByLabel ?? 'default',
      tool.effect,
      tool.dataClass,
      String(tool.schemaTokens),
    ]),
  )
}

function stateOf({ unavailable, enabled }: ToolListing): string {
  if (unavailable !== null) return 'not available'
  return enabled ? 'on' : 'off'
}

export async function switchAndPrint(
  name: string,
  enabled: boolean,
  options: ToolOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  printSwitch(await switchTool(ctx, { name, enabled, reason: options.reason ?? '' }), options)
}

export async function resetAndPrint(name: string, options: ToolOptions): Promise<void> {
  printSwitch(await resetTool(await actingCtx(options.as), name), options)
}

function printSwitch(tool: ToolListing, { json }: ToolOptions): void {
  const why = tool.source === 'default' ? ' (its default)' : ''
  if (json) printJson(tool)
  else printLine(`${tool.name} is ${tool.enabled ? 'on' : 'off'}${why}.`)
  if (!json && tool.unavailable !== null) printLine(tool.unavailable)
}
