import type { Denial, ToolNeed } from '@/lib/protocol/tool'
import type { Gate } from './subject'

/** The answer of gate 1 for a name that the tool Map does not hold: names match exactly or not at all (SPEC T9). */
export const notRegistered: Denial = {
  allowed: false,
  gate: 'registered',
  reason: 'There is no tool with exactly this name. Check the name in the list of tools.',
}

/** Why a tool is not available while this site has none of what it needs. */
export const missingNeed: Readonly<Record<ToolNeed, string>> = {
  storage: 'Not available: this site has no storage yet, so there are no assets to read.',
}

/** Gate 1: a tool counts as installed only while the site has what it needs. */
export const registered: Gate = {
  name: 'registered',
  denies: ({ needs }, { present }) =>
    needs === undefined || present.has(needs) ? null : missingNeed[needs],
}
