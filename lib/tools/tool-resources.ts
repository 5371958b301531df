/** Accounts, logs, assets and facts of this installation, as tools may see them. Implemented in lib/toolset. */
export type ToolResources = {
  /** Newest first; `level` is the least severe level wanted. Carries no client address, user id or payload. */
  readLogs: (query: { level: LogLevel; limit: number }) => Promise<LogLine[]>
  listUsers: (limit: number) => Promise<UserLine[]>
  listGroups: (limit: number) => Promise<GroupLine[]>
  /** Null when there is no such asset or this actor may not see it: the caller cannot tell which. */
  readAssetMeta: (uid: string) => Promise<AssetMeta | null>
  /** The server's environment, unredacted. Redaction is the tool's duty. */
  environment: () => Record<string, string | undefined>
  runtimeInfo: () => RuntimeInfo
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogLine = { at: string; level: string; source: string; message: string; incidentId: string | null }
export type UserLine = { id: string; email: string; name: string; role: string; disabled: boolean; groups: string[]; createdAt: string; lastSignInAt: string | null }
export type GroupLine = { id: string; name: string; description: string; members: number; configurations: string[] }
export type AssetMeta = { uid: string; storage: string; path: string; title: string; mediaType: string; bytes: number; checksum: string; createdAt: string; modifiedAt: string }
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
