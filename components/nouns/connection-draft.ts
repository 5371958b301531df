import type { ConnectionPreset } from '@toolgate/server/domains/connections/presets'
import type {
  ConnectionFacts,
  ConnectionListing,
  CreateConnection,
  UpdateConnection,
} from '@toolgate/server/domains/connections/schemas'
import { connectionShape } from '@/lib/domains/connections/shape'
import {
  type ConnectionSettings,
  completeSettings,
  keyLabel,
  settingProblems,
} from '@/lib/domains/connections/shared/connection-settings'
import { connectionHost, secretsHost } from '@/lib/domains/connections/shared/wire-address'
import type { ActionError } from '@/lib/next/action'
import type { TrustZone } from '@/lib/protocol/model/model-target'
import type { Wire } from '@/lib/protocol/parameters/parameter-values'
import { defaultsOf, readTyped, type TypedOf, typedOf } from '@/lib/shape/field-codec'

/** A row of the headers. `id` identifies it while rows are added and removed. */
export type HeaderRow = { id: number; name: string; value: string }

/** The values of a connection form: times in seconds, "" for an empty field. */
export type ConnectionDraft = Omit<TypedOf<typeof connectionShape>, 'trustZone'> & {
  /** "" = the person has to choose a zone again, because the host changed. */
  trustZone: TrustZone | ''
  /** The settings of the API types that were picked before. Picking one again restores them. */
  otherSettings: Partial<Record<Wire, ConnectionSettings>>
  apiKey: string
  headers: HeaderRow[]
}

const mostCautiousZone = 'external-global'
const nothingTyped = { otherSettings: {}, apiKey: '', headers: [] }
const newConnection: ConnectionFacts = {
  name: '',
  wire: 'openai-compatible',
  trustZone: mostCautiousZone,
  ...defaultsOf(connectionShape),
}

export const emptyDraft = draftOf(newConnection)

export function draftOfPreset(preset: ConnectionPreset): ConnectionDraft {
  return draftOf({ ...newConnection, ...preset, name: preset.label })
}

/** Returns the draft of a stored connection. Its secrets are not shown again. */
export function draftOf(connection: ConnectionFacts): ConnectionDraft {
  return { ...typedOf(connectionShape, connection), ...nothingTyped }
}

/** Returns the draft with another API type and that type's own settings: those of one type mean nothing to another. */
export function withWire(
  { wire: from, settings, otherSettings }: ConnectionDraft,
  to: Wire,
): Partial<ConnectionDraft> {
  if (to === from) return {}
  return {
    wire: to,
    settings: otherSettings[to] ?? {},
    otherSettings: { ...otherSettings, [from]: settings },
  }
}

/**
 * Returns whether the draft needs a key: the provider requires one, and the address is the provider's own. A gateway
 * may work without a key, and so may a server that reads additional headers.
 */
export function needsKey(draft: ConnectionDraft, preset: ConnectionPreset | null): boolean {
  if (!preset?.keyFrom || draft.wire !== preset.wire || !takesKey(draft)) return false
  const settings = settingsOf(draft)
  const own = connectionHost({ wire: preset.wire, baseUrl: preset.baseUrl, settings })
  // The settings do not give the address yet.
  if (own === null) return draft.baseUrl.trim() === ''
  // Placeholders in a preset's address are not part of the provider's host name.
  const ending = own.replace(/^your-[a-z-]+/, '')
  return Boolean(hostOf(draft)?.endsWith(ending)) && filled(draft.headers).length === 0
}

/** Returns the error of a form without a required key, with errors of its settings; null = no key is missing. */
export function missingKey(
  draft: ConnectionDraft,
  preset: ConnectionPreset | null,
): ActionError | null {
  if (draft.apiKey.trim() !== '' || !needsKey(draft, preset)) return null
  const message = 'Paste the key.'
  const wrong = settingProblems(draft.wire, settingsOf(draft)).map(
    ({ key, message }) => [`settings.${key}`, message] as const,
  )
  const fields = { ...Object.fromEntries(wrong), apiKey: message }
  return { code: 'invalid-input', message, fields }
}

/** Returns the draft as the input of `createConnection`, which a test of the draft takes, too. */
export function toNewConnection(draft: ConnectionDraft): CreateConnection {
  return {
    ...factsOf(draft),
    apiKey: takesKey(draft) ? textOrNull(draft.apiKey) : null,
    headers: Object.fromEntries(filled(draft.headers).map(({ name, value }) => [name, value])),
  }
}

/**
 * Returns the draft as a change of a stored connection. The stored secrets are not sent to another host: the typed key,
 * or none, replaces the stored key, and the headers are removed.
 */
export function toChange(
  draft: ConnectionDraft,
  stored: ConnectionListing,
): Omit<UpdateConnection, 'reason'> {
  const trustZone = draft.trustZone || undefined
  const gone = Object.keys(stored.settings).map((key) => [key, null])
  const settings = {
    ...Object.fromEntries(stored.wire === draft.wire ? gone : []),
    ...settingsOf(draft),
  }
  const facts = { ...factsOf(draft), settings, trustZone, updatedAt: stored.updatedAt }
  if (!needsOtherSecrets(draft, stored)) return facts
  const headers = Object.fromEntries(stored.headerNames.map((name) => [name, null]))
  return { ...facts, apiKey: textOrNull(draft.apiKey), headers }
}

/** Returns whether the draft has another host than the one that the stored secrets were entered for. */
export function needsOtherSecrets(draft: ConnectionDraft, stored: ConnectionListing): boolean {
  const address = addressOf(draft)
  return address !== null && secretsHost(address) !== secretsHost(stored)
}

/** Returns the trust zone after a change of the form: another host needs it chosen anew, the stored host has the stored one. */
export function withZoneReset(
  now: ConnectionDraft,
  before: ConnectionDraft,
  stored: ConnectionListing,
): Partial<ConnectionDraft> {
  const host = hostOf(now)
  if (host === hostOf(before)) return {}
  return { trustZone: host === connectionHost(stored) ? stored.trustZone : '' }
}

/** Returns whether the typed address has another host, so that the trust zone has to be chosen again. */
export function hasOtherHost(draft: ConnectionDraft, stored: ConnectionListing): boolean {
  return hostOf(draft) !== connectionHost(stored)
}

/** Returns the host of the draft; undefined while the address is incomplete. */
function hostOf(draft: ConnectionDraft): string | null | undefined {
  const address = addressOf(draft)
  return address ? connectionHost(address) : undefined
}

/** Returns the facts of a draft whose address is complete; null while it is incomplete. */
function addressOf(draft: ConnectionDraft): ConnectionFacts | null {
  const facts = factsOf(draft)
  return facts.baseUrl !== null && !URL.canParse(facts.baseUrl) ? null : facts
}

/** Returns the draft without its secrets. */
export function factsOf(draft: ConnectionDraft): ConnectionFacts {
  // A test may run before a zone is chosen. It then uses the most cautious zone.
  const trustZone = draft.trustZone || mostCautiousZone
  return {
    ...readTyped(connectionShape, { ...draft, trustZone }),
    settings: settingsOf(draft),
  }
}

/** Returns the rows that are not empty. The server refuses a name without a value. */
export function filled(rows: readonly HeaderRow[]): HeaderRow[] {
  return rows.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '')
}

/** Returns whether the form shows a field for the key. A hidden key is not sent. */
function takesKey({ wire, settings }: ConnectionDraft): boolean {
  return keyLabel(wire, settings) !== null
}

function settingsOf({ wire, settings }: ConnectionDraft): ConnectionSettings {
  const typed = Object.entries(settings).map(([key, value]) => [key, value.trim()])
  return completeSettings(wire, Object.fromEntries(typed))
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}

/** Returns the field of an error: one of a single header is shown at the headers, an unconfirmed zone at its field. */
export function fieldOf(path: string): string {
  if (path.startsWith('settings.')) return path
  const [root = ''] = path.split('.')
  return root === 'confirmZone' ? 'trustZone' : root
}
