import 'server-only'
import type { RunPlaces } from '@/lib/domains/settings/verbs'
import { auditColumns } from '@/lib/edge/record-audit'
import type { Ctx } from '@/lib/kernel/context'
import {
  ConflictError,
  ForbiddenError,
  RateLimitedError,
  UnauthenticatedError,
  UnavailableError,
} from '@/lib/kernel/errors'
import { currentPolicy } from '@/lib/kernel/locks'
import { newId } from '@/lib/kernel/new-id'
import { type PgConnection, rowsOf } from '@/lib/kernel/statements'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { WaitReason } from '@/lib/protocol/run/waiting'
import type { NewRun } from '@/lib/runs/engine/live-runs'
import { channels } from '@/lib/runs/journal/notifications'
import { toJson } from '@/lib/runs/journal/write-entries'
import { enqueue, freePlace } from '@/lib/runs/places'
import { storedStart } from '@/lib/runs/run-record'
import type { CheckedRunInput } from '@/lib/runs/schemas'

/** Maximum waiting runs of one person; more would be an accidental loop. */
const mostWaiting = 1_000

/** Priority of waiting runs: first those with a person who waits, then programs, then background runs. */
const priorities = {
  console: 1,
  cli: 1,
  try: 1,
  api: 2,
  run: 1,
  schedule: 3,
  check: 3,
  system: 3,
} as const satisfies Record<Ctx['via'], number>

/** Attempts to find a place that no other run took at the same moment. */
const mostTries = 20

/**
 * `after` is what the audit keeps. `policyVersion` is the version under which everything was read, the limits among it.
 */
export type Planned = {
  run: NewRun
  /** The first run of its conversation; null = it begins one. */
  conversationId: string | null
  snapshot: RunSnapshot
  after: object
  policyVersion: string
  limits: RunPlaces
  /** Copied rounds that keep the provider's own form of their answer; none unless it goes on from another run. */
  nativeRounds: number[]
}

/** `hasRoom`: its engine can work on one more run. `queued`: a run that must wait becomes an entry of the queue. */
type Insert = Planned & {
  input: Pick<CheckedRunInput, 'continues' | 'changedFrom' | 'idempotencyKey'>
  inputHash: string
  instanceId: string | null
  hasRoom: boolean
  queued: boolean
}

/**
 * Stores a run if everything that it was planned with is still so: `created` with its places, or it `waits` for one.
 * `known` = its idempotency key has a run. Throws ForbiddenError when its API key was revoked, UnauthenticatedError when its
 * session has ended, and RateLimitedError when it cannot even wait.
 */
export async function insertRun(
  connection: PgConnection,
  ctx: Ctx,
  {
    run,
    conversationId,
    snapshot,
    after,
    policyVersion,
    limits,
    nativeRounds,
    input,
    inputHash,
    ...engine
  }: Insert,
): Promise<'created' | 'waits' | 'known' | 'policy-changed'> {
  const { userId, role } = ctx.actor
  const { runId, apiKeyId, accessEpoch, freezes, request, createdAt, start } = run
  const files = start.data.files?.map(({ id }, position) => ({ fileId: id, position })) ?? []
  const audit = auditColumns(ctx, {
    action: 'run.start',
    objectType: 'run',
    objectId: runId,
    after,
  })
  const { siteRuns } = limits
  const personRuns = role === 'admin' ? siteRuns : Math.min(siteRuns, limits.personRuns)
  const configurationRuns = Math.min(siteRuns, limits.configurationRuns)
  const values = [
    runId,
    userId,
    snapshot.configurationId,
    snapshot.task?.taskId ?? null,
    apiKeyId,
    toJson(request),
    start.data.prompt,
    ctx.via,
    input.idempotencyKey,
    inputHash,
    engine.instanceId,
    createdAt.toISOString(),
    toJson(storedStart(start.data)),
    policyVersion,
    engine.hasRoom,
    toJson(files),
    newId(),
    audit.actorId,
    audit.actorLabel,
    toJson(audit.after),
    audit.ipAddress ?? null,
    siteRuns,
    personRuns,
    configurationRuns,
    priorities[ctx.via],
    mostWaiting,
  ]
  const statement = statementFor(engine.queued, run.copied !== undefined)
  for (let tries = 1; ; tries++) {
    const from = Math.floor(Math.random() * siteRuns)
    const { panelId = null, panelPlace = null, parent } = run.start.data
    const turn = [input.continues, conversationId, panelId, input.changedFrom, panelPlace]
    turn.push(parent?.runId ?? null, parent?.callId ?? null)
    const more = run.copied ? copiedValues(run.copied, nativeRounds) : []
    const all = [...values, from, accessEpoch, ctx.sessionId ?? null, ...turn, freezes, ...more]
    const [answer] = await rowsOf<Answer>(connection, statement, all)
    if (!answer) throw new Error('PostgreSQL gave no answer to the start of a run.')
    if (answer.isCreated) return answer.waitsFor === null ? 'created' : 'waits'
    if (!answer.hasKey) throw new ForbiddenError('This API key was revoked.')
    if (!answer.hasSession) throw new UnauthenticatedError()
    if (!answer.hasParent) throw new ConflictError('The run that would start it has ended.')
    if (!answer.isCurrent) return 'policy-changed'
    if (answer.isKnown) return 'known'
    const mayWait = engine.queued && answer.waiting < mostWaiting
    if (answer.waitsFor !== null && !mayWait) throw tooMany(answer, engine.queued)
    if (tries === mostTries)
      throw new UnavailableError('Many runs start now. Try again in a moment.')
  }
}

/** Returns the second event of a run that goes on from another one, and the keys of what is stored beside that run's journal. */
function copiedValues({ data }: NonNullable<NewRun['copied']>, nativeRounds: number[]): unknown[] {
  const results = data.events.flatMap(({ body }) =>
    body.type === 'call-end' && body.data.outcome.type === 'ok' ? [body.data] : [],
  )
  const isEdited = (id: string) =>
    data.edits.some(({ what, callId }) => what === 'result' && callId === id)
  const whole = results.flatMap(({ callId }) => (isEdited(callId) ? [] : [callId]))
  const images = results.flatMap(({ outcome }) =>
    outcome.type === 'ok' ? (outcome.images ?? []).map(({ id }) => id) : [],
  )
  return [toJson(data), data.runId, nativeRounds, whole, images]
}

function tooMany({ waiting, waitsFor }: Answer, queued: boolean): RateLimitedError {
  if (queued && waiting >= mostWaiting) {
    return new RateLimitedError(
      `You have ${waiting} runs that wait, the maximum. Wait for some to begin, or stop some.`,
      5,
    )
  }
  const [whose, limit] = fullWords[waitsFor ?? 'site']
  return new RateLimitedError(
    `${whose} as many active runs as ${limit}. Wait for one to end, or stop one.`,
    5,
  )
}

const fullWords = {
  person: ['You have', 'one person may have'],
  configuration: ['This configuration has', 'it may have'],
  site: ['The site has', 'it may have'],
  server: ['This process has', 'it may have'],
} as const satisfies Record<WaitReason, readonly [string, string]>

type Answer = {
  isCreated: boolean
  isCurrent: boolean
  hasKey: boolean
  hasSession: boolean
  hasParent: boolean
  isKnown: boolean
  waitsFor: WaitReason | null
  waiting: number
}

const others = (reason: WaitReason, same: string) =>
  `EXISTS (SELECT 1 FROM runs w WHERE w."waitsFor" = '${reason}' ${same})`

const copiedEvent = `
  UNION ALL SELECT id, 2, 'copied', $38::jsonb, $12::timestamptz AT TIME ZONE 'UTC' FROM run`

/** Copies what is stored beside the journal of the run that another goes on from. */
const besideCopied = `natives AS (
  INSERT INTO native_answers ("runId", round, content)
  SELECT run.id, n.round, n.content FROM run, native_answers n
  WHERE n."runId" = $39::uuid AND n.round = ANY($40::int[])),
results AS (
  INSERT INTO call_results ("runId", "callId", content, bytes)
  SELECT run.id, c."callId", c.content, c.bytes FROM run, call_results c
  WHERE c."runId" = $39::uuid AND c."callId" = ANY($41::text[])),
images AS (
  INSERT INTO run_files ("runId", "fileId", position)
  SELECT run.id, f."fileId", NULL FROM run, run_files f
  WHERE f."runId" = $39::uuid AND f.position IS NULL AND f."fileId" = ANY($42::uuid[])
  ON CONFLICT DO NOTHING),
`

/**
 * Returns the statement that stores a run that may begin, with its places: no two runs have the same number, so that the
 * limits hold whatever other servers do at this moment. It may not pass those that wait for the same. It locks the version
 * of the policy, the API key and the session until the run is stored: whoever freezes the site or ends these then finds this run,
 * or it is not stored. So is the run whose call starts it, which this engine must still work on. The limits are read from a row, so that one plan fits all of them and is kept.
 */
function startText(queued: boolean, isFork: boolean): string {
  return `
WITH ${currentPolicy},
key AS MATERIALIZED (SELECT id FROM api_keys WHERE id = $5::uuid AND "revokedAt" IS NULL FOR SHARE),
session AS MATERIALIZED (SELECT id FROM sessions WHERE id = $29::uuid AND "revokedAt" IS NULL FOR SHARE),
parent AS MATERIALIZED (
  SELECT id FROM runs WHERE id = $35::uuid AND "instanceId" = $11::uuid AND status <> 'ended' AND "cancelledBy" IS NULL FOR SHARE),
own AS MATERIALIZED (
  SELECT $2::uuid AS "userId", $3::uuid AS "configurationId", $22::int AS "siteMost", $23::int AS "personMost",
    $24::int AS "configurationMost", $27::int AS "from"),
found AS MATERIALIZED (
  SELECT (SELECT version FROM policy) = $14::bigint AS "isCurrent",
    $5::uuid IS NULL OR EXISTS (SELECT 1 FROM key) AS "hasKey",
    $29::uuid IS NULL OR EXISTS (SELECT 1 FROM session) AS "hasSession",
    $35::uuid IS NULL OR EXISTS (SELECT 1 FROM parent) AS "hasParent",
    EXISTS (SELECT 1 FROM runs WHERE "userId" = $2::uuid AND "idempotencyKey" = $9) AS "isKnown",
    ${freePlace('site', 'own')} AS site, ${freePlace('person', 'own')} AS person,
    ${freePlace('configuration', 'own')} AS configuration
  FROM own),
checked AS MATERIALIZED (
  SELECT found.*, CASE
    WHEN person IS NULL AND $23::int < $22::int OR ${others('person', 'AND w."userId" = $2::uuid')} THEN 'person'
    WHEN configuration IS NULL AND $24::int < $22::int OR ${others('configuration', 'AND w."configurationId" = $3::uuid')} THEN 'configuration'
    WHEN site IS NULL OR person IS NULL OR configuration IS NULL OR ${others('site', '')} THEN 'site'
    WHEN NOT $15::bool OR ${others('server', '')} THEN 'server' END AS "waitsFor"
  FROM found),
counted AS MATERIALIZED (
  SELECT checked.*, CASE WHEN "waitsFor" IS NULL THEN 0 ELSE (
    SELECT count(*)::int FROM runs WHERE "userId" = $2::uuid AND "waitsFor" IS NOT NULL) END AS waiting
  FROM checked),
run AS (
  INSERT INTO runs (id, status, "userId", "configurationId", "taskId", "apiKeyId", request, prompt, source, "idempotencyKey",
    "idempotencyHash", "instanceId", "createdAt", "lastSeq", "waitsFor", priority, "sitePlace", "personPlace",
    "configurationPlace", "accessEpoch", "continues", "conversationId", "panelId",
    "changedFrom", "panelPlace", "parentRunId", "parentCallId", freezes)
  SELECT $1::uuid, (CASE WHEN "waitsFor" IS NULL AND $11::uuid IS NOT NULL THEN 'running' ELSE 'queued' END)::"RunStatus",
    $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6::jsonb, $7, $8, $9, $10,
    CASE WHEN "waitsFor" IS NULL THEN $11::uuid END, $12::timestamptz AT TIME ZONE 'UTC', ${isFork ? 2 : 1}, "waitsFor", $25::int,
    CASE WHEN hold THEN site END, CASE WHEN hold THEN person END, CASE WHEN hold THEN configuration END, $28::int,
    $30::uuid, $31::uuid, $32::uuid, $33::uuid, $34::int, $35::uuid, $36, $37::int
  FROM (SELECT *, coalesce("waitsFor", 'server') = 'server' AS hold FROM counted) c
  WHERE "isCurrent" AND "hasKey" AND "hasSession" AND "hasParent" AND NOT "isKnown" AND ("waitsFor" IS NULL ${queued ? 'OR waiting < $26::int' : 'AND $26::int > 0'})
  ON CONFLICT DO NOTHING
  RETURNING id, "waitsFor", "conversationId"),
conversation AS (
  INSERT INTO conversations (id, "userId", "createdAt", "lastAt")
  SELECT "conversationId", $2::uuid, now() AT TIME ZONE 'UTC', now() AT TIME ZONE 'UTC' FROM run WHERE "conversationId" IS NOT NULL
  ON CONFLICT (id) DO UPDATE SET "lastAt" = excluded."lastAt", "archivedAt" = NULL, "deletedAt" = NULL),
begun AS (
  INSERT INTO run_events ("runId", seq, type, data, at)
  SELECT id, 1, 'run-start', $13::jsonb, $12::timestamptz AT TIME ZONE 'UTC' FROM run${isFork ? copiedEvent : ''}),
used AS (
  UPDATE files SET "usedAt" = now() AT TIME ZONE 'UTC'
  FROM run, jsonb_to_recordset($16::jsonb) AS f("fileId" uuid) WHERE files.id = f."fileId"),
attached AS (
  INSERT INTO run_files ("runId", "fileId", position)
  SELECT run.id, f."fileId", f.position
  FROM run, jsonb_to_recordset($16::jsonb) AS f("fileId" uuid, position int)),
${isFork ? besideCopied : ''}audited AS (
  INSERT INTO audit_entries (id, at, "actorId", "actorLabel", action, "objectType", "objectId", after, "ipAddress")
  SELECT $17::uuid, now() AT TIME ZONE 'UTC', $18::uuid, $19, 'run.start', 'run', id::text, $20::jsonb, $21
  FROM run)
SELECT EXISTS (SELECT 1 FROM run) AS "isCreated", "isCurrent", "hasKey", "hasSession", "hasParent", "isKnown", "waitsFor", waiting,
  CASE WHEN "waitsFor" IS NULL AND $11::uuid IS NULL THEN pg_notify('${channels.work}', $1::text) IS NULL
    WHEN "waitsFor" IS NOT NULL AND EXISTS (SELECT 1 FROM run) THEN pg_notify('${channels.places}', '') IS NULL END AS notified
  ${queued ? `, (SELECT count(${enqueue('run', '$25::int')}) FROM run WHERE "waitsFor" IS NOT NULL) AS entries` : ''}
FROM counted`
}

const statements = {
  startOrQueue: { name: 'start or queue run', text: startText(true, false) },
  startOrRefuse: { name: 'start run', text: startText(false, false) },
  forkOrQueue: { name: 'start or queue fork', text: startText(true, true) },
  forkOrRefuse: { name: 'start fork', text: startText(false, true) },
}

function statementFor(queued: boolean, isFork: boolean): { name: string; text: string } {
  if (isFork) return queued ? statements.forkOrQueue : statements.forkOrRefuse
  return queued ? statements.startOrQueue : statements.startOrRefuse
}
