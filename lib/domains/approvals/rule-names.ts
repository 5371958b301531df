import { ValidationError } from '@/lib/kernel/errors'
import type { ApprovalRule } from '@/lib/protocol/approval'
import type { KnownNames } from '@/lib/protocol/tool-access'
import { unknownName } from '@/lib/words/nearest-name'
import type { Missing } from './shape'

/** Fields in which a rule names something by words. */
type Named = Pick<ApprovalRule, 'toolName' | 'toolGroup' | 'serverName'>

/** Rows that the rule refers to, as far as they may have ended since. */
type Referring = {
  person: { deletedAt: Date | null } | null
  apiKey: { revokedAt: Date | null } | null
}

/** Returns the rules as they are, each with what it names that does not exist now. */
export function withMissing<R extends Named & Referring>(
  { tools, groups, servers }: KnownNames,
  rules: readonly R[],
): (R & { missing: Missing[] })[] {
  return rules.map((rule) => {
    const { person, apiKey } = rule
    const missing: Missing[] = []
    if (rule.toolName !== null && !tools.has(rule.toolName)) missing.push('tool')
    if (rule.toolGroup !== null && !groups.has(rule.toolGroup)) missing.push('group')
    if (rule.serverName !== null && !servers.has(rule.serverName)) missing.push('server')
    if (person && person.deletedAt !== null) missing.push('person')
    if (apiKey && apiKey.revokedAt !== null) missing.push('api-key')
    return { ...rule, missing }
  })
}

/** Throws ValidationError, which names the nearest known name, for what does not exist. */
export function requireKnownNames(known: KnownNames, rule: Partial<Named>): void {
  const fields = unknownFields(known, rule)
  if (Object.keys(fields).length > 0) throw new ValidationError(fields)
}

/** Returns a sentence for each tool, group or server that does not exist, with the nearest known name. */
export function unknownNames(known: KnownNames, rule: Partial<Named>): string[] {
  return Object.values(unknownFields(known, rule))
}

function unknownFields(
  { tools, groups, servers }: KnownNames,
  { toolName, toolGroup, serverName }: Partial<Named>,
) {
  return {
    ...(toolName && !tools.has(toolName) && { toolName: unknownName('tool', toolName, tools) }),
    ...(toolGroup &&
      !groups.has(toolGroup) && { toolGroup: unknownName('tool group', toolGroup, groups) }),
    ...(serverName &&
      !servers.has(serverName) && { serverName: unknownName('MCP server', serverName, servers) }),
  }
}
