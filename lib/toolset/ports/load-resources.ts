import 'server-only'
import { availableParallelism, hostname } from 'node:os'
import type { ResourceCaller } from '@/lib/engines/tools/bind-tool'
import {
  type GroupLine,
  type LogLine,
  type LogQuery,
  logLevels,
  type RunResources,
  type RuntimeInfo,
  type ToolResources,
  type UserLine,
} from '@/lib/engines/tools/tool-resources'
import type { Tx } from '@/lib/kernel/db'
import { flushLog } from '@/lib/kernel/log'
import { ToolError } from '@/lib/protocol/tool'
import { version } from '@/package.json'
import { channelResources } from './channels'
import { dataResources } from './data'
import { installationResources } from './installation'
import { memoryOf } from './memory'
import { programResources } from './programs'
import { searchEndpointsOf } from './search-endpoints'
import { siteResources } from './sites'
import { storageResources } from './storages'
import { webAccess } from './web'
import { workspaceResources } from './workspaces'

const MAX_LISTED = 200
/** One more than a call shows, which says whether there are others. */
const MAX_LOG_LINES = 51
const MAX_CONFIGURATIONS = 51

/**
 * Returns this installation as the tools of a run may see it that acts for this person. Limits are also capped here, and soft-deleted rows are
 * never returned (SPEC A2a, B).
 */
export function loadResources(
  tx: Tx,
  caller: ResourceCaller,
  runs: RunsOf = () => noRuns,
): ToolResources {
  const { actor } = caller
  return {
    readLogs: (query) => readLogs(tx, query),
    listUsers: (limit) => listUsers(tx, Math.min(limit, MAX_LISTED)),
    listGroups: (limit) => listGroups(tx, Math.min(limit, MAX_LISTED)),
    environment: () => ({ ...process.env }),
    runtimeInfo,
    installation: installationResources(tx),
    memory: memoryOf(tx, caller),
    workspaces: workspaceResources(tx, actor),
    programs: programResources(tx),
    channels: channelResources(tx, caller),
    web: webAccess(tx),
    searchEndpoints: () => searchEndpointsOf(tx),
    data: dataResources(tx, actor),
    storages: storageResources(tx, caller),
    sites: siteResources(tx, actor),
    runs: runs(caller),
  }
}

/** Returns the runs that the calls of one run may start. */
export type RunsOf = (caller: ResourceCaller) => RunResources

/** Outside of a run, no call starts one. */
const noRuns: RunResources = { shown: refuse, ask: refuse }

async function refuse(): Promise<never> {
  throw new ToolError('no-run', 'Only a call of a run can start a run.')
}

async function readLogs(tx: Tx, { level, limit, between }: LogQuery): Promise<LogLine[]> {
  // Recent log lines of this process may still wait for their batch.
  await flushLog()
  const rows = await tx.logEntry.findMany({
    where: {
      level: { in: logLevels.slice(logLevels.indexOf(level)) },
      ...(between && { at: { gte: between[0], lte: between[1] } }),
    },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: Math.min(limit, MAX_LOG_LINES),
    select: { at: true, level: true, source: true, message: true, incidentId: true },
  })
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

async function listUsers(tx: Tx, limit: number): Promise<{ total: number; users: UserLine[] }> {
  const where = { deletedAt: null }
  const [total, rows] = await Promise.all([
    tx.user.count({ where }),
    tx.user.findMany({
      where,
      orderBy: { email: 'asc' },
      take: limit,
      select: {
        id: true,
        email: true,
        name: true,
        role: true,
        disabledAt: true,
        suspendedFor: true,
        createdAt: true,
        lastSignInAt: true,
        memberships: {
          select: { group: { select: { name: true } } },
          orderBy: { group: { name: 'asc' } },
        },
      },
    }),
  ])
  const users = rows.map(({ disabledAt, createdAt, lastSignInAt, memberships, ...user }) => ({
    ...user,
    disabled: disabledAt !== null,
    groups: memberships.map((membership) => membership.group.name),
    createdAt: createdAt.toISOString(),
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
  }))
  return { total, users }
}

async function listGroups(tx: Tx, limit: number): Promise<{ total: number; groups: GroupLine[] }> {
  const [total, rows] = await Promise.all([
    tx.group.count(),
    tx.group.findMany({
      orderBy: { name: 'asc' },
      take: limit,
      select: {
        id: true,
        name: true,
        description: true,
        _count: { select: { members: { where: { user: { deletedAt: null } } } } },
        configurations: {
          select: { configuration: { select: { name: true } } },
          orderBy: { configuration: { name: 'asc' } },
          take: MAX_CONFIGURATIONS,
        },
      },
    }),
  ])
  const groups = rows.map(({ _count, configurations, ...group }) => ({
    ...group,
    members: _count.members,
    configurations: configurations.map((link) => link.configuration.name),
  }))
  return { total, groups }
}

function runtimeInfo(): RuntimeInfo {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  return {
    toolgateVersion: version,
    nodeVersion: process.version,
    platform: process.platform,
    arch: process.arch,
    uptimeSeconds: Math.round(process.uptime()),
    memory: { residentBytes: rss, heapUsedBytes: heapUsed, heapTotalBytes: heapTotal },
    cpus: availableParallelism(),
    hostname: hostname(),
    pid: process.pid,
    workingDirectory: process.cwd(),
    execPath: process.execPath,
    argv: process.argv,
  }
}
