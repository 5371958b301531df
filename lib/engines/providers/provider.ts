import type { ConnectionSettings } from '@/lib/domains/connections/shared/connection-settings'
import type { MayResend, ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import type { SentHttp } from '@/lib/protocol/model/sent-request'

/**
 * Limits of a provider's silence (SPEC R8), in milliseconds. `idleMs` counts between two pieces of a body. `totalMs` is
 * for a whole request, because signs of life without an end would keep it open for ever. `restMs` is for the remainder
 * of an answer that cannot be used, until its usage arrives.
 */
export type ProviderTimeouts = {
  connectMs: number
  firstByteMs: number
  idleMs: number
  totalMs: number
  restMs: number
}

export const defaultTimeouts: ProviderTimeouts = {
  connectMs: 10_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  totalMs: 600_000,
  restMs: 60_000,
}

/**
 * Settings that a stored connection gives to its API type. `apiKey` is the opened secret; it and `headers` leave only
 * in requests to `baseUrl`, and `headers` win over the API type's own. `baseUrl` null: the public address of the API
 * type. `privateAddressAllowed`: an admin allows a private network or this machine. `publicAddressRefused`: nothing
 * else is reachable, because the trust zone keeps data in the own network. `onIncident` receives the raw detail of a
 * failure, keys removed, for the server log alone (SPEC R15a).
 */
export type ProviderOptions = {
  baseUrl: string | null
  /** Settings that the API type needs beside an address (`lib/domains/connections/shared/connection-settings.ts`). */
  settings: ConnectionSettings
  apiKey: string | null
  organisation: string | null
  headers: Record<string, string>
  privateAddressAllowed: boolean
  publicAddressRefused: boolean
  onIncident: (incidentId: string, detail: unknown) => void
  newId: () => string
  /** Tokens and the like that were issued in exchange for the key; they are removed from logs as the key is. */
  issuedSecrets?: () => readonly string[]
  /** The other keys of the connection: removed from logs, too. */
  otherKeys?: readonly string[]
  /** Gets the headers of each answer, names in small letters. */
  onHeaders?: (headers: Record<string, string>) => void
  timeouts?: Partial<ProviderTimeouts>
  /** Gets each request, and nothing is sent: to show a request. Nothing is asked for in exchange for the key. */
  insteadOfSending?: (request: SentHttp) => void
}

/**
 * One way to ask a model. `stream` yields deltas for display and then exactly one `finish` or `error`; it never
 * throws after it was started. Aborting the signal ends it promptly with an error of category `cancelled`. It
 * tries once: retries and fallbacks are the runtime's (SPEC R15). `mayResend` is asked before a request is made again in
 * another form; without it, it always is.
 */
export type Provider = {
  stream: (
    request: ModelRequest,
    signal: AbortSignal,
    mayResend?: MayResend,
  ) => AsyncGenerator<ModelEvent>
}
