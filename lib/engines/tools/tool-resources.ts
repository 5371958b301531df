import type { Delivery } from '@/lib/domains/channels/shared/delivery'
import type { Reservation } from '@/lib/domains/channels/shared/run-messages'
import type { ProgramRules } from '@/lib/domains/programs/shared/program-rules'
import type { SearchKind } from '@/lib/domains/search-endpoints/shared/search-kind'
import type { DiskLimits } from '@/lib/engines/programs/disk-use'
import type { MemoryFull } from '@/lib/protocol/memory'
import type { CallContext, DataClass } from '@/lib/protocol/tool'
import type { DataResources } from './data-resources'
import type { InstallationResources } from './installation-resources'
import type { SiteResources } from './site-resources'
import type { StorageResources } from './storage-resources'

/** Accounts, logs, assets and facts of this installation, as tools may see them. Implemented in lib/toolset. */
export type ToolResources = {
  /** Newest first. Carries no client address, user id or payload. */
  readLogs: (query: LogQuery) => Promise<LogLine[]>
  /** By e-mail. Disabled accounts are listed, deleted ones are not. `total` counts those beyond `limit` too. */
  listUsers: (limit: number) => Promise<{ total: number; users: UserLine[] }>
  /** By name. `total` counts those beyond `limit` too. */
  listGroups: (limit: number) => Promise<{ total: number; groups: GroupLine[] }>
  /** The server's environment, unredacted. Redaction is the tool's duty. */
  environment: () => Record<string, string | undefined>
  runtimeInfo: () => RuntimeInfo
  installation: InstallationResources
  memory: MemoryResources
  workspaces: WorkspaceResources
  programs: ProgramResources
  channels: ChannelResources
  web: WebAccess
  /** Those that are switched on, in the order in which they are asked. */
  searchEndpoints: () => Promise<SearchEndpoint[]>
  data: DataResources
  storages: StorageResources
  sites: SiteResources
  runs: RunResources
}

/** The runs that a call may start, for the actor and within what its own run may do. Implemented in lib/runs. */
export type RunResources = {
  /** Returns what would be started, word for word. Throws ToolError when it cannot be. */
  shown: (input: AskedRun, callId: string) => Promise<string>
  /** Starts a run and waits for its answer; stops it when the signal aborts. Throws ToolError when there is no answer. */
  ask: (
    input: AskedRun,
    call: Pick<CallContext, 'callId' | 'signal' | 'started'>,
  ) => Promise<RunAnswer>
}

/** `tools` null = all that it may have. */
export type AskedRun = { configuration: string; prompt: string; tools: readonly string[] | null }

/** `unfinished`: why the answer is not whole, as a sentence. `dataClass`: the highest of what its tools returned. */
export type RunAnswer = {
  runId: string
  configuration: string
  answer: string
  unfinished: string | null
  dataClass: DataClass | null
}

/** The folders of this server that tools of the actor may use, and what is kept of files that they write. */
export type WorkspaceResources = {
  /** Those that the actor may use at this moment, by name. */
  list: () => Promise<UsableWorkspace[]>
  /** Keeps what a file is before it is written. `forget` when it was not written after all. */
  keepVersion: (write: KeptWrite) => Promise<{ forget: () => Promise<void> }>
}

/** `root`: the real path of its folder, which no tool tells. */
export type UsableWorkspace = { id: string; name: string; root: string; isWritable: boolean }

/** The text of a file before and after a call; null = there is no file. `encoding`: that of both. */
type KeptWrite = {
  workspaceId: string
  path: string
  before: string | null
  after: string | null
  encoding: string
  runId: string
  callId: string
}

/** The programs of this server that are listed and switched on. */
export type ProgramResources = {
  names: () => Promise<string[]>
  /** Null = none of this name is listed. */
  find: (name: string) => Promise<UsableProgram | null>
}

/**
 * A program as it is run. `path`: where its file is, with links resolved; `problem`: why it cannot be run now, as a sentence;
 * `isBoxed` false = an admin accepted that it runs here without a sandbox.
 */
export type UsableProgram = {
  name: string
  path: string
  first: readonly string[]
  rules: ProgramRules
  network: boolean
  ms: number
  memoryBytes: number
  disk: DiskLimits
  readable: readonly string[]
  isBoxed: boolean
  problem: string | null
}

/** The channels where runs of the actor may send messages to people at this moment. */
export type ChannelResources = {
  names: () => Promise<string[]>
  /** Null = there is none of this name, or the actor may not use it: the caller cannot tell which. */
  find: (name: string) => Promise<MessageChannel | null>
}

/** A channel as the tools of one run use it. */
export type MessageChannel = {
  /** Returns the channel and the exact message, for the approver. The text changes when the channel is changed. */
  shown: (message: WrittenMessage) => string
  /** Returns whether the run has sent as many messages as it may. */
  isRunFull: () => Promise<boolean>
  /** Notes that a call is about to send its one message, within the limits of `messageLimits`. */
  reserve: (callId: string) => Promise<Reservation>
  /** Tries once. A channel that was changed, closed or switched off since it was found gets nothing. */
  send: (message: WrittenMessage, signal: AbortSignal) => Promise<Delivery>
  /** Notes what came of the message. Never throws. */
  record: (callId: string, outcome: { attempts: number; delivery: Delivery }) => Promise<void>
}

/** A message that a call sends to people. */
export type WrittenMessage = { text: string; callId: string }

/** The notes of the actor with the configuration of the run. There are no others: their ids are missing. */
type MemoryResources = {
  /** Newest first. `search` null = all. */
  read: (query: { search: string | null; limit: number }) => Promise<MemoryLine[]>
  /** The text of a note; null = there is none with this id. */
  textOf: (id: string) => Promise<string | null>
  /** Returns true when a note has exactly this text. */
  has: (text: string) => Promise<boolean>
  /** The same text twice is one note. */
  add: (text: string) => Promise<{ type: 'stored'; id: string; isNew: boolean } | NoRoom>
  replace: (
    id: string,
    text: string,
  ) => Promise<{ type: 'replaced' | 'missing' | 'taken' } | NoRoom>
  /** False = there is no note with this id. */
  delete: (id: string) => Promise<boolean>
}

type MemoryLine = { id: string; text: string; date: string }
type NoRoom = { type: 'full'; of: MemoryFull }

/** Web access of tools, and the amount that a run has read. */
export type WebAccess = {
  /** Returns what is allowed for the first of these origins that is listed; null = none is, or it is switched off. */
  findHost: (origins: readonly string[]) => Promise<{ privateAddressAllowed: boolean } | null>
  /** Reserves bytes, as many as are left up to `bytes`, and a host of a run, before they are read. */
  reserve: (use: { runId: string; host: string; bytes: number }) => Promise<WebReservation>
  /** Gives back what was reserved and not read. */
  settle: (use: { runId: string; reserved: number; used: number }) => Promise<void>
}

/** `unknown` = it could not be noted. */
export type WebReservation =
  | { type: 'reserved'; bytes: number }
  | { type: 'refused'; why: 'bytes' | 'hosts' | 'unknown' }

/**
 * A service that searches the web. `address`: where it is asked; null = it has none. `openKey` returns its key in clear, which is
 * a part of the request alone; null = it has none, undefined = it cannot be opened.
 */
export type SearchEndpoint = {
  id: string
  name: string
  kind: SearchKind
  address: string | null
  privateAddressAllowed: boolean
  openKey: () => Promise<string | null | undefined>
}

/** Limits of a run for the web, all of its calls together. */
export const webBudget = { bytes: 50 * 1024 * 1024, hosts: 20 } as const

/** Least to most severe. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof logLevels)[number]

/** `level`: the least severe one wanted; `between`: the first and the last moment. */
export type LogQuery = { level: LogLevel; limit: number; between?: readonly [from: Date, to: Date] }

/** `at` and the other times below are ISO 8601, UTC. */
export type LogLine = {
  at: string
  level: string
  source: string
  message: string
  incidentId: string | null
}

export type UserLine = {
  id: string
  email: string
  name: string
  role: string
  disabled: boolean
  /** Why it is suspended, which is disabled until the identity provider sends its groups again; null = it is not. */
  suspendedFor: string | null
  groups: string[]
  createdAt: string
  lastSignInAt: string | null
}

/** `configurations` are the names its members may use; at most 51 are listed. */
export type GroupLine = {
  id: string
  name: string
  description: string
  members: number
  configurations: string[]
}

export type RuntimeInfo = {
  toolgateVersion: string
  nodeVersion: string
  platform: string
  arch: string
  uptimeSeconds: number
  memory: { residentBytes: number; heapUsedBytes: number; heapTotalBytes: number }
  cpus: number
  hostname: string
  pid: number
  workingDirectory: string
  execPath: string
  argv: string[]
}
