import { costCapModeWords } from '@/lib/protocol/cost/cost-cap-words'
import type { PanelRole } from '@/lib/protocol/panel/panel-role'
import { roleWords } from '@/lib/protocol/panel/role-words'
import { countOf, usdText } from '@/lib/words/format'
import type { TaskPanel } from './task-panel'

/** Minimum number of roles in a coordination. */
export const leastRoles = 3

/** Returns the role of the member at this place. */
export function roleAt(place: number, members: number): PanelRole {
  if (place === 0) return 'proposer'
  return place === members - 1 && members > 2 ? 'synthesizer' : 'critic'
}

type Coordination = Extract<TaskPanel, { kind: 'coordinate' }>

/** `path`: where its configuration stands in the panel. `hops` null = it has no tools. */
type Member = {
  path: string
  role: PanelRole | null
  configuration: string | null
  instructions: string | null
  hops: number | null
  costCap: Coordination['synthesizer']['costCap']
}

/** Returns the members of a panel in their order. */
export function membersOf(panel: TaskPanel): Member[] {
  if (panel.kind === 'confer') {
    const { configurations, hops, memberCostCap: costCap } = panel
    return configurations.map((configuration, place) => ({
      path: `configurations.${place}`,
      role: null,
      configuration,
      instructions: null,
      hops,
      costCap,
    }))
  }
  const { proposer, critics, synthesizer } = panel
  return [
    { path: 'proposer.configuration', role: 'proposer', ...proposer },
    ...critics.map((critic, place) => ({
      path: `critics.${place}.configuration`,
      role: 'critic' as const,
      ...critic,
    })),
    { path: 'synthesizer.configuration', role: 'synthesizer', ...synthesizer, hops: null },
  ]
}

/** Returns whether a task needs a configuration to run: for its one run, or for members that name none. */
export function needsConfiguration(panel: TaskPanel | null): boolean {
  return panel === null || membersOf(panel).some(({ configuration }) => configuration === null)
}

/** Returns the configurations that a panel names. */
export function configurationsOf(panel: TaskPanel): string[] {
  return [...new Set(membersOf(panel).flatMap(({ configuration }) => configuration ?? []))]
}

/** Returns how a task runs, in one word or two. */
export function panelKindWords(panel: Pick<TaskPanel, 'kind'> | null): string {
  if (panel === null) return 'one run'
  return panel.kind === 'confer' ? 'comparison' : 'coordination'
}

/** Returns a panel in one line: "Coordination of a proposer, 2 critics and a synthesizer". */
export function panelWords(panel: TaskPanel): string {
  if (panel.kind === 'confer')
    return `Comparison of ${countOf(panel.configurations.length, 'configuration')}`
  return `Coordination of a proposer, ${countOf(panel.critics.length, 'critic')} and a synthesizer`
}

/** Returns a panel as people compare its versions: a line for each member and each of its settings. */
export function panelText(panel: TaskPanel): string {
  const members = membersOf(panel).flatMap(
    ({ role, configuration, instructions, hops, costCap }) => [
      `${role ? roleWords[role] : 'Member'}: ${configuration ?? 'the configuration of the task'}`,
      ...(hops === null ? [] : [`Hop budget: ${hops}`]),
      ...(costCap
        ? [`Cost cap: $${usdText(costCap.limitMicroUsd)}, ${costCapModeWords[costCap.mode]}`]
        : []),
      ...(instructions ? [instructions] : []),
    ],
  )
  return [panelWords(panel), ...members, `Tools: ${panel.tools.join(', ') || 'none'}`].join('\n')
}
