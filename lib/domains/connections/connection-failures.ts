import type { Pool } from 'pg'
import type { ConnectionFailure, Model } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { FailureCategory } from '@/lib/protocol/model/failure'
import { healthChannel } from './health'
import type { ConnectionProblem } from './schemas'

/**
 * Failures that stay until somebody acts, and whether they are about the whole connection or one model. All others pass
 * by themselves.
 */
const scopes: Partial<Record<FailureCategory, 'connection' | 'model'>> = {
  auth: 'connection',
  'no-credit': 'connection',
  egress: 'connection',
  forbidden: 'model',
  'not-found': 'model',
}

/** Failures that end when the key or a header changes. */
const ofKey: FailureCategory[] = ['auth', 'no-credit', 'forbidden']

/** Failures that end when the provider lists its models: it accepts the key, and its address is allowed. */
export const endedByTest: readonly FailureCategory[] = ['auth', 'egress']

export function isActionable(category: FailureCategory): boolean {
  return scopes[category] !== undefined
}

/**
 * A request to a connection. `askedAt`: when it began, `openedAt`: when its key was read, both in ms since 1970. A
 * result is ignored when the connection or its key changed after these times.
 */
export type AskedConnection = {
  connectionId: string
  modelRecordId: string | null
  runId: string | null
  askedAt: number
  openedAt: number
}

const isCurrent = `
  c."updatedAt" <= to_timestamp($2 / 1000.0) AT TIME ZONE 'UTC'
  AND NOT EXISTS (SELECT 1 FROM vault_secrets s WHERE s.id IN (c."secretId", c."headersSecretId")
    AND s."updatedAt" > to_timestamp($3 / 1000.0) AT TIME ZONE 'UTC')`

const insert = `
WITH noted AS (
  INSERT INTO connection_failures ("connectionId", category, scope, "modelRecordId", "runId", status, advice, at)
  SELECT c.id, $4, $5, $6::uuid, $7::uuid, $8::int, $9, now() AT TIME ZONE 'UTC'
  FROM connections c WHERE c.id = $1::uuid AND ${isCurrent}
  ON CONFLICT ("connectionId", category, scope) DO UPDATE SET
    "modelRecordId" = excluded."modelRecordId", "runId" = excluded."runId", status = excluded.status,
    advice = excluded.advice, at = excluded.at
  RETURNING 1)
SELECT pg_notify('${healthChannel}', $1::text) FROM noted`

/** Stores a failure that somebody can act on. It replaces the last one of its kind. */
export async function recordActionableFailure(
  pool: Pool,
  { connectionId, modelRecordId, runId, askedAt, openedAt }: AskedConnection,
  failure: { category: FailureCategory; status: number | null; advice: string },
): Promise<void> {
  const scope = scopes[failure.category] === 'model' ? (modelRecordId ?? '') : ''
  const { category, status, advice } = failure
  const values = [connectionId, askedAt, openedAt]
  await pool.query(insert, [...values, category, scope, modelRecordId, runId, status, advice])
}

const remove = `
WITH cleared AS (
  DELETE FROM connection_failures f USING connections c
  WHERE f."connectionId" = $1::uuid AND c.id = f."connectionId" AND ${isCurrent}
    AND f.scope IN ('', $4) AND ($5::text[] IS NULL OR f.category = ANY($5::text[]))
    AND f.at <= to_timestamp($2 / 1000.0) AT TIME ZONE 'UTC'
  RETURNING 1)
SELECT pg_notify('${healthChannel}', $1::text) FROM cleared LIMIT 1`

/**
 * Deletes the failures that an answer shows to be over: those of the connection and of the model that answered. `only`:
 * deletes only these kinds.
 */
export async function clearFailures(
  pool: Pool,
  { connectionId, modelRecordId, askedAt, openedAt }: Omit<AskedConnection, 'runId'>,
  only: readonly FailureCategory[] | null = null,
): Promise<void> {
  await pool.query(remove, [connectionId, askedAt, openedAt, modelRecordId ?? '', only])
}

/** Deletes the failures of a key, and that it was answered, after a key or a header was replaced or removed. */
export async function forgetKeyResults(tx: Tx, connectionId: string): Promise<void> {
  const ofOldKey = { connectionId, category: { in: ofKey } }
  const failed = await tx.connectionFailure.deleteMany({ where: ofOldKey })
  const answered = await tx.connectionHealth.deleteMany({ where: { connectionId, failures: 0 } })
  if (failed.count + answered.count === 0) return
  await tx.$executeRaw`SELECT pg_notify(${healthChannel}, ${connectionId})`
}

type Row = ConnectionFailure & { model: Pick<Model, 'id' | 'modelId'> | null }

/** Returns the failures, newest first, without those of deleted models. */
export function connectionProblems(rows: readonly Row[]): ConnectionProblem[] {
  return rows.flatMap(({ category: name, status, advice, at, runId, scope, model }) => {
    const category = FailureCategory.safeParse(name).data
    if (!category || (scope !== '' && !model)) return []
    return [{ category, status, advice, at: at.toISOString(), runId, ofModel: scope !== '', model }]
  })
}
