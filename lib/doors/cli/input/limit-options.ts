import type { Command } from 'commander'
import { nameList } from './common-options'

/** Names of a limit, or that there is none. */
export type LimitNames = string[] | 'all'
export type ToolLimitOptions = { tools?: LimitNames; toolGroups?: LimitNames }

/** Adds the options that limit somebody to tools. */
export function withToolLimits(made: Command): Command {
  return made
    .option('--tools <names>', 'single tools, separated by commas, or all', namesOrAll)
    .option('--tool-groups <names>', 'groups whose tools may be used, or all', namesOrAll)
}

/** Parses names with commas between them, or `all`. */
export function namesOrAll(text: string): LimitNames {
  return text === 'all' ? text : nameList(text)
}

/** Returns names as the operations take them: null = no limit. */
export function orNull(names: LimitNames): string[] | null {
  return names === 'all' ? null : names
}

/** Returns the limits to tools that were given. */
export function toolLimitsIn({ tools, toolGroups }: ToolLimitOptions) {
  return {
    ...(tools && { tools: orNull(tools) }),
    ...(toolGroups && { toolGroups: orNull(toolGroups) }),
  }
}
