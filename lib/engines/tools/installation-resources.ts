import type { ToolLimits } from '@/lib/protocol/key-limits'

/** Health of this installation as tools may read it. Times are ISO 8601, UTC. */
export type InstallationResources = {
  /** The newest error of the log, or the one with this incident id; null = the log has none. */
  lastException: (incidentId: string | null) => Promise<LoggedException | null>
  /** By name, at most `limit`. `total` counts those beyond it too. */
  schedules: (limit: number) => Promise<{ total: number; schedules: ScheduleLine[] }>
  /** Packages of the lockfile, by name; null: this installation has no lockfile. */
  packages: () => Promise<PackageLine[] | null>
  status: (signal: AbortSignal) => Promise<SystemStatus>
  /** By e-mail. `total` counts those beyond `limit` too. */
  accountFacts: (limit: number) => Promise<{ total: number; users: AccountLine[] }>
}

/** An error as the log has it, with paths and addresses. `folder`: the one that this server runs in. */
export type LoggedException = {
  at: string
  source: string
  incidentId: string | null
  /** Activity of the server at that moment. */
  message: string
  /** The thrown error and its source; null: the entry has no exception. */
  error: { type: string; message: string; stack: string } | null
  /** Number of equal entries in the last 24 hours, this one included. */
  sameIn24Hours: number
  folder: string
}

export type ScheduleLine = {
  name: string
  cron: string
  /** Null = no short sentence says the same. */
  words: string | null
  timeZone: string
  enabled: boolean
  /** Null = it is off. */
  next: string | null
  /** The task that it starts; null = it has a prompt of its own. */
  task: string | null
  /** Null = that of the task, or it was deleted, and nothing starts. */
  configuration: string | null
  /** Null = no time has come yet. */
  lastStart: { at: string; outcome: string } | null
}

export type PackageLine = { name: string; version: string; licence: string }

export type SystemStatus = {
  servers: { startedAt: string; isThisOne: boolean }[]
  database: { reachable: boolean; sizeBytes: number | null; newestMigration: string | null }
  disk: { freeBytes: number; totalBytes: number } | null
  /** The delay in the server that answers. */
  eventLoopDelay: { medianMs: number; p99Ms: number; measuredForMs: number }
  runs: { active: number; waiting: number }
  connections: { failing: string[]; circuitsOpen: string[] }
  /** "ok", or why secrets cannot be opened. */
  vault: string
}

export type AccountLine = {
  id: string
  email: string
  name: string
  role: string
  disabled: boolean
  /** Why it is suspended, which is disabled until the identity provider sends its groups again; null = it is not. */
  suspendedFor: string | null
  createdAt: string
  lastSignInAt: string | null
  signIn: {
    way: 'password' | 'identity-provider' | 'none'
    secondFactors: string[]
    recoveryCodesLeft: number
    openSessions: number
    apiKeys: number
  }
  groups: { name: string; limits: ToolLimits }[]
}
