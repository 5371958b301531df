import { z } from 'zod'

/** Why a server's tool is held back until a person accepts it; `unusable`: changed into what nobody can accept. */
export const Held = z.enum(['new', 'changed', 'unusable'])
export type Held = z.output<typeof Held>

/** What is stored now about a server's tool. `pin`: a hash of what was accepted and set. */
export const RemoteState = z.object({
  pin: z.string(),
  held: Held.nullable(),
  isGone: z.boolean(),
  isServerOn: z.boolean(),
})
export type RemoteState = z.output<typeof RemoteState>
