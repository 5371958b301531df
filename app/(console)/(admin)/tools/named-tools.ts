import { readPersonNames } from '@toolgate/server/domains/users/person-names'
import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'

const kinds = ['override', 'groupOff', 'approvalSetting'] as const

/** Returns tools that name who switched them, their group or their approval. */
export async function withSwitchers(tools: readonly ToolListing[]): Promise<ToolListing[]> {
  const settings = tools.flatMap((tool) => kinds.map((kind) => tool[kind]?.changedByLabel))
  const nameOf = await readPersonNames(settings)
  const named = <T extends { changedByLabel: string }>(setting: T | null) =>
    setting && { ...setting, changedByLabel: nameOf(setting.changedByLabel) }
  return tools.map((tool) => ({
    ...tool,
    override: named(tool.override),
    groupOff: named(tool.groupOff),
    approvalSetting: named(tool.approvalSetting),
  }))
}
