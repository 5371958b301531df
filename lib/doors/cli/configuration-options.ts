import type { ConfigurationChanges } from '@/lib/domains/configurations/schemas'
import { findGroup } from '@/lib/domains/groups/reads'
import type { Ctx } from '@/lib/kernel/context'
import { type ConfigurationParameters, inGroups } from '@/lib/protocol/parameters'
import { findModelChoice } from './find-model-choice'
import { readStandardInput } from './read-standard-input'

/** What the command line takes; `none` empties. Time is in seconds. */
export type ConfigurationOptions = {
  name?: string
  description?: string
  systemPrompt?: string
  toolMode?: 'auto' | 'native' | 'prompted'
  maxRounds?: number
  timeLimit?: number
  /** Micro-USD. */
  costCap?: number | 'none'
  costCapMode?: 'off' | 'warn' | 'enforce'
  fallbacks?: string[]
  groups?: string[]
  toolGroups?: string[]
  /** As they are stored. */
  parameters?: Partial<ConfigurationParameters>
}

const maxSystemPromptBytes = 400_000

/** Returns the options as the verbs take them. Options that were not given are left out. */
export async function formOf(ctx: Ctx, options: ConfigurationOptions) {
  const { systemPrompt, costCap, timeLimit, toolGroups, fallbacks, groups } = options
  const given = {
    name: options.name,
    description: options.description,
    systemPrompt:
      systemPrompt === '-' ? await readStandardInput(maxSystemPromptBytes) : systemPrompt,
    ...inGroups(options.parameters ?? {}),
    toolMode: options.toolMode,
    maxRounds: options.maxRounds,
    timeLimitMs: timeLimit && Math.round(timeLimit * 1000),
    costCapMicroUsd: costCap === 'none' ? null : costCap,
    costCapMode: options.costCapMode,
    allowedToolGroups: toolGroups && groupsOf(toolGroups),
    fallbackModelIds:
      fallbacks && (await idsOf(withoutNone(fallbacks), (name) => findModelChoice(ctx, name))),
    groupIds: groups && (await idsOf(withoutNone(groups), (name) => findGroup(ctx, name))),
  } satisfies ConfigurationChanges
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Given<typeof given>>
}

/** Without `undefined`, which `Object.fromEntries` took out and the compiler cannot see. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Parses `all`, `none`, or names. */
export function groupsOf(names: string[]): string[] | null {
  return names.length === 1 && names[0] === 'all' ? null : withoutNone(names)
}

function withoutNone(names: string[]): string[] {
  return names.length === 1 && names[0] === 'none' ? [] : names
}

async function idsOf(
  names: readonly string[],
  find: (name: string) => Promise<{ id: string }>,
): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push((await find(name)).id)
  return ids
}
