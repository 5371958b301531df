import { countOf } from './format'
import type { PanelRole } from './panel-role'
import { roleWords } from './role-words'
import type { TaskPanel } from './task-panel'

/** How many roles a coordination has at least. */
export const leastRoles = 3

/** Returns the role of the member at this place. */
export function roleAt(place: number, members: number): PanelRole {
  if (place === 0) return 'proposer'
  return place === members - 1 && members > 2 ? 'synthesizer' : 'critic'
}

type Coordination = Extract<TaskPanel, { kind: 'coordinate' }>
type Member = { role: PanelRole | null; configuration: string | null; instructions: string | null }

/** Returns the members of a panel in their order. */
export function membersOf(panel: TaskPanel): Member[] {
  if (panel.kind === 'confer')
    return panel.configurations.map((configuration) => ({
      ...{ role: null, configuration, instructions: null },
    }))
  const { proposer, critics, synthesizer } = panel
  const as = (role: PanelRole) => (each: Coordination['synthesizer']) => ({ role, ...each })
  return [as('proposer')(proposer), ...critics.map(as('critic')), as('synthesizer')(synthesizer)]
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

/** Returns a panel as people compare its versions: a line for each member and each setting. */
export function panelText(panel: TaskPanel): string {
  const members = membersOf(panel).map(({ role, configuration, instructions }) =>
    [
      `${role ? roleWords[role] : 'Member'}: ${configuration ?? 'the configuration of the task'}`,
      ...(instructions ? [instructions] : []),
    ].join('\n'),
  )
  const { kind: _, ...settings } = panel
  const limits = JSON.stringify(settings, (key, value) =>
    key === 'instructions' ? undefined : value,
  )
  return [panelWords(panel), ...members, limits].join('\n')
}
