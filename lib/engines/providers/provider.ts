import type { ConnectionSettings } from '@/lib/domains/connections/shared/connection-settings'
import type { MayResend, ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import type { SentHttp } from '@/lib/protocol/model/sent-request'

/**
 * How long a provider may be silent (SPEC R8), in milliseconds. `idleMs` counts between two pieces of a body; `totalMs`
 * is for a whole request, which signs of life without an end would keep open for ever; `restMs` is for what follows in an
 * answer that cannot be used, until its usage came.
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
 * What a stored connection gives to its wire. `apiKey` is the opened secret and leaves only in the request to
 * `baseUrl`, as `headers` do, which are sent beside the wire's own and win over them; `baseUrl` null = the wire's public
 * address. `privateAddressAllowed` = an admin lets it reach a private network or this machine;
 * `publicAddressRefused` = it reaches nothing else, because its trust zone keeps data in one's own network. `onIncident` gets the raw
 * detail of a failure, keys removed, for the server log alone (SPEC R15a).
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
  /** What was issued in exchange for the key, such as tokens: removed from logs as the key is. */
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
