import type { PanelRole } from './panel-role'

/** Maximum critics of a coordination (SPEC Q2). */
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

/** Returns what a member of a coordination is called: "Critic 2" where there are several; null = it has no role. */
export function roleTitle(
  members: readonly { role?: PanelRole | null | undefined }[],
  place: number,
): string | null {
  const role = members[place]?.role
  if (!role) return null
  const alike = members.flatMap((each, at) => (each.role === role ? [at] : []))
  return alike.length === 1 ? roleWords[role] : `${roleWords[role]} ${alike.indexOf(place) + 1}`
}
