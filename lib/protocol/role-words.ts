import type { PanelRole } from './panel-role'

/** How many critics a coordination has (SPEC Q2). */
export const mostCritics = 6

/** The roles in their order. */
export const panelRoles = [
  'proposer',
  'critic',
  'synthesizer',
] as const satisfies readonly PanelRole[]

export const roleWords: Readonly<Record<PanelRole, string>> = {
  proposer: 'Proposer',
  critic: 'Critic',
  synthesizer: 'Synthesizer',
}
