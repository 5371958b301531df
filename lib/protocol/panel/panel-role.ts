import { z } from 'zod'

/** Role of a member in a coordination (SPEC Q2); members of other panels have none. */
export const PanelRole = z.enum(['proposer', 'critic', 'synthesizer'])
export type PanelRole = z.infer<typeof PanelRole>
