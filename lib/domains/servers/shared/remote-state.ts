import { z } from 'zod'

/** Why a server's tool is held back until a person accepts it; `unusable`: changed into what nobody can accept. */
export const Held = z.enum(['new', 'changed', 'unusable'])
export type Held = z.output<typeof Held>

/**
 * An account at a server that calls need and that cannot be used. `of`: whose it would be; `state`: there is none, or the server
 * accepts it no more.
 */
export const MissingAccount = z.object({
  of: z.enum(['person', 'site', 'client']),
  state: z.enum(['missing', 'refused']),
})
export type MissingAccount = z.output<typeof MissingAccount>

/** Stored state of a server's tool. `pin`: hash of the accepted definition and its settings. */
export const RemoteState = z.object({
  pin: z.string(),
  held: Held.nullable(),
  isGone: z.boolean(),
  isServerOn: z.boolean(),
})
export type RemoteState = z.output<typeof RemoteState>
