import type { FileVersion } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import type { FileWrite } from './shape'

const keptDays = 90
/** Limits of the versions kept for each workspace. The oldest versions go first. */
const mostVersions = 1_000
const mostBytes = 100 * 1024 * 1024
const shownWrites = 50

export type NewFileVersion = Pick<
  FileVersion,
  | 'workspaceId'
  | 'path'
  | 'before'
  | 'encoding'
  | 'beforeHash'
  | 'afterHash'
  | 'runId'
  | 'callId'
  | 'userId'
  | 'userLabel'
>

/** Keeps what a file is before a tool writes it, within the bounds of its workspace. Returns its id. */
export async function keepFileVersion(client: Tx, version: NewFileVersion): Promise<string> {
  const beforeBytes = Buffer.byteLength(version.before ?? '')
  const { id } = await client.fileVersion.create({ data: { ...version, beforeBytes } })
  await client.$executeRaw`
    DELETE FROM file_versions WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER newest AS place, sum("beforeBytes") OVER newest AS bytes
        FROM file_versions WHERE "workspaceId" = ${version.workspaceId}::uuid
        WINDOW newest AS (ORDER BY "createdAt" DESC, id DESC)) AS kept
      WHERE place > ${mostVersions} OR bytes > ${mostBytes})`
  return id
}

/** Forgets what was kept for a write that did not happen. */
export async function forgetFileVersion(client: Tx, id: string): Promise<void> {
  await client.fileVersion.deleteMany({ where: { id } })
}

/** Deletes what was kept for longer than it is stored. */
export async function pruneFileVersions(client: Tx): Promise<void> {
  await client.$executeRaw`
    DELETE FROM file_versions
    WHERE "createdAt" < now() AT TIME ZONE 'UTC' - make_interval(days => ${keptDays})`
}

/** Returns the last writes to a workspace, the newest one first. */
export async function lastWrites(client: Tx, workspaceId: string): Promise<FileWrite[]> {
  const rows = await client.fileVersion.findMany({
    where: { workspaceId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: shownWrites,
    omit: { before: true },
  })
  return rows.map(toFileWrite)
}

/** Returns a write as people see it, without what the file was. */
export function toFileWrite(row: Omit<FileVersion, 'before'>): FileWrite {
  const { id, path, runId, callId, createdAt, userLabel, beforeHash, undoneAt, undoneByLabel } = row
  return {
    id,
    path,
    runId,
    callId,
    at: createdAt.toISOString(),
    by: userLabel,
    isNew: beforeHash === null,
    undoneAt: undoneAt?.toISOString() ?? null,
    undoneBy: undoneByLabel,
  }
}
