import { listToolGroups, type ToolGroupListing } from '@/lib/toolset/list-tool-groups'
import { switchToolGroup } from '@/lib/toolset/switch-tool-group'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import type { ToolOptions } from './tool-verbs'

export async function printToolGroups(options: CommonOptions): Promise<void> {
  const groups = await listToolGroups(await actingCtx(options.as))
  if (options.json) return printJson(groups)
  printTable(
    ['GROUP', 'STATE', 'BY', 'TOOLS ON', 'REASON'],
    groups.map(({ name, enabled, off, tools, on }) => [
      name,
      enabled ? 'on' : 'off',
      off?.changedByLabel ?? '',
      `${on} of ${tools}`,
      off?.reason ?? '',
    ]),
  )
}

export async function switchGroupAndPrint(
  name: string,
  enabled: boolean,
  options: ToolOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const group = await switchToolGroup(ctx, { name, enabled, reason: options.reason ?? '' })
  if (options.json) printJson(group)
  else printLine(stateOf(group))
}

function stateOf({ name, enabled, tools }: ToolGroupListing): string {
  return enabled
    ? `The group ${name} is on. Its tools follow their own switches.`
    : `The group ${name} is off, and so are all its tools (${tools}).`
}
