import 'server-only'
import { auditColumns } from '@/lib/domains/audit/record-audit'
import type { Ctx } from '@/lib/kernel/context'
import type { Database, Tx } from '@/lib/kernel/db'
import { ForbiddenError, RateLimitedError } from '@/lib/kernel/errors'
import { currentPolicy } from '@/lib/kernel/locks'
import { newId } from '@/lib/kernel/new-id'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { NewRun } from './engine/live-runs'
import { channels } from './journal/notifications'
import { toJson } from './journal/write-entries'
import { activeStates, storedStart } from './run-record'
import type { CheckedRunInput } from './schemas'

/** Active runs that one person may have; more would be an accidental loop. */
const runsInFlight = { admin: 256, member: 32 }

/** `after` is what the audit keeps. `policyVersion` is the version under which everything was read. */
export type Planned = { run: NewRun; snapshot: RunSnapshot; after: object; policyVersion: string }

type Insert = Planned & { asked: CheckedRunInput; inputHash: string; instanceId: string | null }

/**
 * Stores a run if everything that it was planned with is still so. `known` = its idempotency key has a run. Throws
 * ForbiddenError when its API key was revoked, and RateLimitedError when the person has too many runs.
 */
export async function insertRun(
  { pool }: Database,
  ctx: Ctx,
  { run, snapshot, after, policyVersion, asked, inputHash, instanceId }: Insert,
  tx: Tx | undefined,
): Promise<'created' | 'known' | 'policy-changed'> {
  const { userId, role } = ctx.actor
  const { runId, request, createdAt, start } = run
  const files = start.data.files?.map(({ id }, position) => ({ fileId: id, position })) ?? []
  const audit = auditColumns(ctx, {
    ...{ action: 'run.start', objectType: 'run', objectId: runId, after },
  })
  const values = [
    ...[runId, userId, snapshot.configurationId, snapshot.task?.taskId ?? null],
    ...[ctx.apiKeyId ?? null, toJson(request), start.data.prompt, ctx.via],
    ...[asked.idempotencyKey, inputHash, instanceId, createdAt.toISOString()],
    ...[toJson(storedStart(start.data)), policyVersion, runsInFlight[role], toJson(files)],
    ...[newId(), audit.actorId, audit.actorLabel, toJson(audit.after), audit.ipAddress ?? null],
  ]
  const [answer] = tx
    ? await tx.$queryRawUnsafe<Answer[]>(startStatement, ...values)
    : (await pool.query<Answer>({ name: 'start run', text: startStatement, values })).rows
  if (!answer) throw new Error('PostgreSQL gave no answer to the start of a run.')
  if (answer.isCreated) return 'created'
  if (!answer.hasKey) throw new ForbiddenError('This API key was revoked.')
  if (answer.going >= runsInFlight[role]) {
    throw new RateLimitedError(
      `You have ${answer.going} active runs, the maximum. Wait for one to end, or stop one.`,
      5,
    )
  }
  return answer.isCurrent ? 'known' : 'policy-changed'
}

type Answer = { isCreated: boolean; isCurrent: boolean; hasKey: boolean; going: number }

/**
 * Locks the version of the policy and the API key until the run is stored: whoever freezes the site or revokes the key
 * then finds this run, or the run is not stored.
 */
const startStatement = `
WITH ${currentPolicy},
key AS MATERIALIZED (SELECT id FROM api_keys WHERE id = $5::uuid AND "revokedAt" IS NULL FOR SHARE),
asked AS MATERIALIZED (
  SELECT (SELECT version FROM policy) = $14::bigint AS "isCurrent",
    $5::uuid IS NULL OR EXISTS (SELECT 1 FROM key) AS "hasKey",
    (SELECT count(*)::int FROM runs WHERE "userId" = $2::uuid AND status IN (${activeStates})) AS going),
run AS (
  INSERT INTO runs (id, "userId", "configurationId", "taskId", "apiKeyId", request, prompt, source, "idempotencyKey",
    "idempotencyHash", "instanceId", "createdAt", "lastSeq")
  SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6::jsonb, $7, $8, $9, $10, $11::uuid,
    $12::timestamptz AT TIME ZONE 'UTC', 1
  FROM asked WHERE "isCurrent" AND "hasKey" AND going < $15::int
  ON CONFLICT ("userId", "idempotencyKey") DO NOTHING
  RETURNING id),
begun AS (
  INSERT INTO run_events ("runId", seq, type, data, at)
  SELECT id, 1, 'run-start', $13::jsonb, $12::timestamptz AT TIME ZONE 'UTC' FROM run),
files AS (
  INSERT INTO run_files ("runId", "fileId", position)
  SELECT run.id, f."fileId", f.position
  FROM run, jsonb_to_recordset($16::jsonb) AS f("fileId" uuid, position int)),
audited AS (
  INSERT INTO audit_entries (id, at, "actorId", "actorLabel", action, "objectType", "objectId", after, "ipAddress")
  SELECT $17::uuid, now() AT TIME ZONE 'UTC', $18::uuid, $19, 'run.start', 'run', id::text, $20::jsonb, $21
  FROM run)
SELECT EXISTS (SELECT 1 FROM run) AS "isCreated", "isCurrent", "hasKey", going,
  CASE WHEN $11::uuid IS NULL THEN pg_notify('${channels.work}', $1::text) IS NULL END AS notified
FROM asked`
