import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import type { ApprovalRule } from '@/lib/protocol/approval'
import { RuleAction } from '@/lib/protocol/approval'
import { installedTools } from '@/lib/toolset/tools/installed-tools'
import { knownNames } from './known-names'
import { powerTools } from './power-tools'

type Rule = Pick<ApprovalRule, 'toolName' | 'toolGroup' | 'serverName' | 'action' | 'fourEyes'> & {
  enabled: boolean
}
type Given = Readonly<Record<string, unknown>>

/** The fields that say which calls a rule matches. */
const matching = [
  'toolName',
  'toolGroup',
  'serverName',
  'configurationId',
  'userId',
  'groupId',
  'apiKeyId',
  'conditions',
]

/**
 * Returns whether a change lets calls start that a rule refuses or asks about now, where they may run programs or change files
 * of this server (SPEC A7). `values` null = the rule is deleted.
 */
export async function liftsPower(client: Tx, before: Rule, values: Given | null): Promise<boolean> {
  if (!before.enabled || before.action === 'observe' || !weakens(before, values)) return false
  const { tools, groups, servers } = await knownNames(client)
  const isUnknown = (name: string | null, names: ReadonlySet<string>) =>
    name !== null && !names.has(name)
  // A name that does not exist yet may become that of any tool.
  if (isUnknown(before.toolName, tools) || isUnknown(before.serverName, servers)) return true
  if (isUnknown(before.toolGroup, groups)) return true
  const hasPower = await powerTools(client)
  const isAbout = (wanted: string | null, has: string | undefined) =>
    wanted === null || wanted === has
  return (await installedTools(client)).some(
    (tool) =>
      hasPower(tool) &&
      isAbout(before.toolName, tool.name) &&
      isAbout(before.toolGroup, tool.group) &&
      isAbout(before.serverName, tool.server),
  )
}

/** Returns whether a change of a rule could match less, or do less about what it matches. */
function weakens(before: Rule, values: Given | null): boolean {
  if (values === null || values.enabled === false) return true
  if (before.fourEyes && values.fourEyes === false) return true
  if (values.action !== undefined && strictness(values.action) > strictness(before.action))
    return true
  return matching.some(
    (name) =>
      values[name] !== undefined &&
      JSON.stringify(values[name]) !== JSON.stringify(Reflect.get(before, name)),
  )
}

function strictness(action: unknown): number {
  return RuleAction.options.indexOf(RuleAction.parse(action))
}
