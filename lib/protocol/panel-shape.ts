import type { PanelRole } from './panel-role'

// What pages with a form of a panel load, without what panels and roles do.

/** How many configurations a panel has (SPEC Q1). */
export const panelSize = { least: 2, most: 8 }
/** How often a member may ask for tools, unless the panel says otherwise; and the most that it may say. */
export const hopBudgets = { usual: 2, most: 20 }
/** How many critics a coordination has (SPEC Q2). */
export const mostCritics = 6

export const roleWords: Readonly<Record<PanelRole, string>> = {
  proposer: 'Proposer',
  critic: 'Critic',
  synthesizer: 'Synthesizer',
}
