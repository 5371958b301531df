import { z } from 'zod'

/** What a member does in a coordination (SPEC Q2); the members of other panels have none. */
export const PanelRole = z.enum(['proposer', 'critic', 'synthesizer'])
export type PanelRole = z.infer<typeof PanelRole>
