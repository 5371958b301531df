import type { Denial, ToolNeed } from '@/lib/protocol/tool'
import { because } from '../../../protocol/format'
import type { Gate } from './subject'

// The gates of a few lines, in the order of SPEC section 4. Gate 7 has rules of its own in trust-zone.ts.

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

/** Gate 2: the site-wide kill switch stops every tool. */
export const frozen: Gate = {
  name: 'frozen',
  denies: (_tool, subject) =>
    subject.frozen &&
    `All tools of this site are stopped by ${subject.frozen.by}${because(subject.frozen.reason)}`,
}

/** Gate 3: a switched-off group beats every switch of its tools. */
export const group: Gate = {
  name: 'group',
  denies: (tool, subject) => {
    const off = subject.groupsOff.get(tool.group)
    return off
      ? `The whole group "${tool.group}" is switched off for this site by ${off.by}${because(off.reason)} An admin can switch the group on.`
      : null
  },
}

/** Gate 4: an admin's switch, else the tool's own default. */
export const enabled: Gate = {
  name: 'enabled',
  denies: (tool, subject) => {
    const override = subject.overrides.get(tool.name)
    if (!override) {
      return tool.enabledByDefault ? null : 'Off until an admin switches it on for this site.'
    }
    return override.enabled
      ? null
      : `Switched off for this site by ${override.changedBy}${because(override.reason)} An admin can switch the tool on.`
  },
}

/** Gate 5: admin tools are for admins, and an unknown actor may use nothing. */
export const role: Gate = {
  name: 'role',
  denies: (tool, subject) => {
    if (!subject.actor) {
      return 'The account of this run is unknown or disabled. Sign in with an active account.'
    }
    if (tool.requiresAdmin && subject.actor.role !== 'admin') {
      return 'Only admins may use this tool. Ask an admin to run it.'
    }
    return null
  },
}

/** Gate 6: whether the person may run with the configuration at all, and the tool groups that it allows. */
export const configuration: Gate = {
  name: 'configuration',
  denies: (tool, { configuration }) => {
    if (!configuration) return null
    if (configuration.closed) return configuration.closed.reason
    if (!configuration.allowedToolGroups) return null
    return configuration.allowedToolGroups.has(tool.group)
      ? null
      : `The configuration ${configuration.name} does not allow tools of the group "${tool.group}".`
  },
  part: ({ configuration }) => configuration?.closed?.part,
}

/** Gate 8: where the effective skills list tools, only those they list (SPEC G-S). */
export const skills: Gate = {
  name: 'skills',
  denies: (tool, { configuration }) => {
    const granted = configuration?.grantedBySkills
    if (!granted || granted.has(tool.name)) return null
    const { name, task } = configuration
    const whose = task === null ? name : `${name} and of the task ${task}`
    return granted.size === 0
      ? `The skills of ${whose} allow no tools at all.`
      : `The skills of ${whose} do not list it under allowed-tools.`
  },
}

/** Gate 9: the tools picked for this run; picking none means none. */
export const selection: Gate = {
  name: 'selection',
  denies: (tool, subject) =>
    subject.selected === null || subject.selected.has(tool.name)
      ? null
      : 'Not picked for this run. Pick this tool and run again.',
}

/** Gate 10: a remote tool that is not what an admin accepted any more. */
export const pinned: Gate = {
  name: 'pinned',
  denies: (tool, { unpinned }) =>
    unpinned.has(tool.name)
      ? 'Its server changed the definition after an admin accepted it. Accept the new definition first.'
      : null,
}
