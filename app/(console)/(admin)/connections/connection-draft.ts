import type { ConnectionPreset } from '@/lib/domains/connections/presets'
import type {
  ConnectionListing,
  CreateConnection,
  UpdateConnection,
} from '@/lib/domains/connections/schemas'
import type { ActionError } from '@/lib/kernel/action'
import {
  type ConnectionSettings,
  completeSettings,
  keyLabel,
  settingProblems,
} from '@/lib/protocol/connection-settings'
import { parseSeconds, secondsText, typedFigure } from '@/lib/protocol/format'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { connectionHost, secretsHost } from '@/lib/protocol/wire-address'

/** `id` tells rows apart while they are typed. */
export type HeaderRow = { id: number; name: string; value: string }

/** A connection as it is typed: times in seconds, "" where nothing is given. */
export type ConnectionDraft = {
  name: string
  wire: ModelTarget['wire']
  baseUrl: string
  /** As typed. Settings of other API types are not sent. */
  settings: ConnectionSettings
  /** What was typed for other API types, restored when one of them is picked again. */
  otherSettings: Partial<Record<ModelTarget['wire'], ConnectionSettings>>
  organisation: string
  /** "" = it has to be chosen again, because the host changed. */
  trustZone: ModelTarget['trustZone'] | ''
  privateAddressAllowed: boolean
  apiKey: string
  headers: HeaderRow[]
  connectTimeout: string
  firstByteTimeout: string
  idleTimeout: string
  maxTries: string
}

const cautious = 'external-global'

export const emptyDraft: ConnectionDraft = {
  name: '',
  wire: 'openai-compatible',
  baseUrl: '',
  settings: {},
  otherSettings: {},
  organisation: '',
  trustZone: cautious,
  privateAddressAllowed: false,
  apiKey: '',
  headers: [],
  connectTimeout: '',
  firstByteTimeout: '',
  idleTimeout: '',
  maxTries: '3',
}

export function draftOfPreset(preset: ConnectionPreset): ConnectionDraft {
  const { label, wire, baseUrl, settings = {}, trustZone, privateAddressAllowed } = preset
  return {
    ...emptyDraft,
    name: label,
    wire,
    baseUrl: baseUrl ?? '',
    settings,
    trustZone,
    privateAddressAllowed,
  }
}

export function draftOf(connection: ConnectionListing): ConnectionDraft {
  return {
    name: connection.name,
    wire: connection.wire,
    baseUrl: connection.baseUrl ?? '',
    settings: connection.settings,
    otherSettings: {},
    organisation: connection.organisation ?? '',
    trustZone: connection.trustZone,
    privateAddressAllowed: connection.privateAddressAllowed,
    apiKey: '',
    headers: [],
    connectTimeout: toSeconds(connection.connectTimeoutMs),
    firstByteTimeout: toSeconds(connection.firstByteTimeoutMs),
    idleTimeout: toSeconds(connection.idleTimeoutMs),
    maxTries: String(connection.maxTries),
  }
}

/** Returns the draft with another API type and that type's own settings: those of one type mean nothing to another. */
export function withWire(
  { wire: from, settings, otherSettings }: ConnectionDraft,
  to: ModelTarget['wire'],
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
  const message = 'Paste the key. This provider needs one.'
  const wrong = settingProblems(draft.wire, settingsOf(draft)).map(
    ({ key, message }) => [`settings.${key}`, message] as const,
  )
  const fields = { ...Object.fromEntries(wrong), apiKey: message }
  return { code: 'invalid-input', message, fields }
}

/** What a new connection is made of, and what a test of the form sends. */
export function toNewConnection(draft: ConnectionDraft): CreateConnection {
  return {
    ...factsOf(draft),
    apiKey: takesKey(draft) ? textOrNull(draft.apiKey) : null,
    headers: Object.fromEntries(filled(draft.headers).map(({ name, value }) => [name, value])),
  }
}

/**
 * Returns what a form changes of a stored connection. The stored key and headers are not sent to another host: the key
 * becomes the typed one, or none, and the headers are removed.
 */
export function toChange(
  draft: ConnectionDraft,
  stored: ConnectionListing,
): Omit<UpdateConnection, 'reason'> {
  const trustZone = draft.trustZone === '' ? undefined : draft.trustZone
  const gone = Object.keys(stored.settings).map((key) => [key, null])
  const settings = {
    ...Object.fromEntries(stored.wire === draft.wire ? gone : []),
    ...settingsOf(draft),
  }
  const facts = { ...factsOf(draft), settings, trustZone, updatedAt: stored.updatedAt }
  if (!goesElsewhere(draft, stored)) return facts
  const headers = Object.fromEntries(stored.headerNames.map((name) => [name, null]))
  return { ...facts, apiKey: textOrNull(draft.apiKey), headers }
}

/** Whether what is typed leads to another host than the one the stored secrets were given for. */
export function goesElsewhere(draft: ConnectionDraft, stored: ConnectionListing): boolean {
  const baseUrl = textOrNull(draft.baseUrl)
  if (baseUrl !== null && !URL.canParse(baseUrl)) return false
  const { wire } = draft
  return secretsHost({ wire, baseUrl, settings: settingsOf(draft) }) !== secretsHost(stored)
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

/** Undefined while an address is half typed. */
function hostOf(draft: ConnectionDraft): string | null | undefined {
  const baseUrl = textOrNull(draft.baseUrl)
  if (baseUrl !== null && !URL.canParse(baseUrl)) return undefined
  return connectionHost({ wire: draft.wire, baseUrl, settings: settingsOf(draft) })
}

function factsOf(draft: ConnectionDraft) {
  const { name, wire, trustZone, privateAddressAllowed } = draft
  return {
    name,
    wire,
    // A test may run before a zone is chosen. It then uses the most cautious zone.
    trustZone: trustZone || cautious,
    privateAddressAllowed,
    baseUrl: textOrNull(draft.baseUrl),
    settings: settingsOf(draft),
    organisation: textOrNull(draft.organisation),
    connectTimeoutMs: typedFigure(draft.connectTimeout, parseSeconds),
    firstByteTimeoutMs: typedFigure(draft.firstByteTimeout, parseSeconds),
    idleTimeoutMs: typedFigure(draft.idleTimeout, parseSeconds),
    maxTries: Number(draft.maxTries),
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

function toSeconds(ms: number | null): string {
  return ms === null ? '' : secondsText(ms)
}
