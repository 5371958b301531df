import type { Missing } from '@/lib/domains/approvals/shape'
import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { didYouMean } from '@/lib/protocol/nearest-name'
import { installedTools } from './installed-tools'

type Named = { toolName: string | null; toolGroup: string | null }

/** Returns the names of the tools of this installation, and of their groups. */
export async function knownNames(client: Tx): Promise<{ tools: Set<string>; groups: Set<string> }> {
  const tools = await installedTools(client)
  return {
    tools: new Set(tools.map(({ name }) => name)),
    groups: new Set(tools.map(({ group }) => group)),
  }
}

/** Returns the rules as they are, each with what it names that does not exist now. */
export async function withMissing<R extends Named>(
  client: Tx,
  rules: readonly R[],
): Promise<(R & { missing: Missing[] })[]> {
  const { tools, groups } = await knownNames(client)
  return rules.map((rule) => {
    const missing: Missing[] = []
    if (rule.toolName !== null && !tools.has(rule.toolName)) missing.push('tool')
    if (rule.toolGroup !== null && !groups.has(rule.toolGroup)) missing.push('group')
    return { ...rule, missing }
  })
}

/** Throws ValidationError, which names the nearest known name, for a tool or group that does not exist. */
export async function requireKnownNames(client: Tx, rule: Partial<Named>): Promise<void> {
  const fields = await unknownFields(client, rule)
  if (Object.keys(fields).length > 0) throw new ValidationError(fields)
}

/** Returns a sentence for each tool or group that does not exist, with the nearest known name. */
export async function unknownNames(client: Tx, rule: Partial<Named>): Promise<string[]> {
  return Object.values(await unknownFields(client, rule))
}

async function unknownFields(client: Tx, { toolName, toolGroup }: Partial<Named>) {
  const { tools, groups } = await knownNames(client)
  return {
    ...(toolName && !tools.has(toolName) && { toolName: unknown('tool', toolName, tools) }),
    ...(toolGroup &&
      !groups.has(toolGroup) && { toolGroup: unknown('tool group', toolGroup, groups) }),
  }
}

/** Returns `There is no tool "…". Did you mean "…"?` */
export function unknown(what: string, name: string, known: Iterable<string>): string {
  return `There is no ${what} "${name.slice(0, 100)}". ${didYouMean(name, known)}`.trimEnd()
}
