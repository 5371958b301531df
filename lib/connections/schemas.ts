import { z } from 'zod'
import type { TrustZone, Wire } from '../column-names'
import { ModelTarget } from '../protocol/run-event'

/** A key as providers issue them: one line of visible characters. */
export const ConnectionKey = z
  .string()
  .trim()
  .min(1, 'Paste the key.')
  .max(4_096, 'A key has at most 4,096 characters.')
  .regex(/^[\x21-\x7e]+$/, 'A key has no spaces or special characters.')

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'Write an address that begins with http:// or https://.' })
  .max(500, 'An address has at most 500 characters.')
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    return !url || (url.username === '' && url.password === '')
  }, 'Put no user name or password into the address; store a key instead.')
  .refine((text) => !/[?#]/.test(text), 'Leave out ? and # and what follows them.')
  .transform((text) => text.replace(/\/+$/, ''))

/** `baseUrl` null = the wire's own public address, where it has one. `trustZone` says where prompts go (SPEC G7). */
export const CreateConnection = z
  .object({
    name: z.string().trim().min(1, 'Give a name.').max(100, 'A name has at most 100 characters.'),
    wire: ModelTarget.shape.wire,
    baseUrl: BaseUrl.nullable().default(null),
    organisation: z.string().trim().min(1).max(200).nullable().default(null),
    trustZone: ModelTarget.shape.trustZone,
    apiKey: ConnectionKey.nullable().default(null),
  })
  .refine(({ wire, baseUrl }) => wire !== 'openai-compatible' || baseUrl !== null, {
    path: ['baseUrl'],
    message: 'An OpenAI-compatible server needs its address.',
  })
export type CreateConnection = z.input<typeof CreateConnection>

/** A connection as lists show it. `lastFour` is "" when the key is too short to show any of it. */
export type ConnectionListing = {
  id: string
  name: string
  wire: Wire
  baseUrl: string | null
  organisation: string | null
  trustZone: TrustZone
  enabled: boolean
  key: { lastFour: string; updatedAt: string } | null
  models: number
}
