import 'server-only'
import { freezeKey } from '@/lib/domains/settings/read-freeze'
import { type RunPlaces, readRunLimits } from '@/lib/domains/settings/verbs'
import type { Database } from '@/lib/kernel/db'
import { advisoryLocks } from '@/lib/kernel/locks'
import { pooledTransaction } from '@/lib/kernel/statements'
import { channels } from './journal/notifications'

/** Entries without places. No server asks for them. */
const waitingQueue = 'waiting-runs'
/** Entries with places. Servers ask for them when there may be some, and only for as many as they have room for. */
export const readyQueue = 'ready-runs'
export const startWorkflow = 'startWaitingRun'

/** Returns SQL that makes a run of the rows of `run` an entry of a queue of DBOS, in the transaction that stores it. */
export const enqueue = (run: string, priority: string) => `dbos.enqueue_workflow('${startWorkflow}',
    CASE ${run}."waitsFor" WHEN 'server' THEN '${readyQueue}' ELSE '${waitingQueue}' END,
    ARRAY[to_json(${run}.id::text)], workflow_id => ${run}.id::text, priority => ${priority})`

/** The columns whose numbers are the places of a run, and how many there are. */
const kinds = {
  site: { column: 'sitePlace', same: () => '' },
  person: { column: 'personPlace', same: (of: string) => `r."userId" = ${of}."userId" AND` },
  configuration: {
    column: 'configurationPlace',
    same: (of: string) => `r."configurationId" = ${of}."configurationId" AND`,
  },
} as const
type Kind = keyof typeof kinds

/**
 * Returns SQL for a free place of this kind for the run in the row `of`; null = all are taken. Each number is looked up by an
 * index, from one that varies, so that runs that start at the same time seldom want the same. After the limit was
 * lowered, nothing is free while a number above it is taken: `callWaitingRuns` counts exactly.
 */
export function freePlace(kind: Kind, of: string): string {
  const { column, same } = kinds[kind]
  const most = `${of}."${kind}Most"`
  const highest = `SELECT max(r."${column}") FROM runs r WHERE ${same(of)} r."${column}" IS NOT NULL`
  return `CASE WHEN coalesce((${highest}), 0) <= ${most} THEN (
      SELECT n FROM (SELECT 1 + (i + ${of}."from") % ${most} AS n FROM generate_series(0, ${most} - 1) AS i) AS places
      WHERE (SELECT 1 FROM runs r WHERE ${same(of)} r."${column}" = n) IS NULL LIMIT 1) END`
}

/** Result of a pass over the waiting runs. */
type Called = {
  /** They have places now, and wait for a server with room. */
  called: string[]
  /** They do not wait any more, because they are about to be ended. */
  freed: string[]
  /** All that wait for a server with room. */
  ready: string[]
  hasWaiting: boolean
}

/**
 * Gives free places to runs that wait: who has the highest priority first, then who waits longest. Whose person or
 * configuration has no place is passed over. Runs that were cancelled, those of accounts that were disabled or reset, and
 * all when the site is frozen, need none to end.
 */
export async function callWaitingRuns({ pool, client }: Database): Promise<Called> {
  const { siteRuns, personRuns, configurationRuns }: RunPlaces = await readRunLimits(client)
  const limits = [siteRuns, personRuns, configurationRuns]
  return pooledTransaction(pool, async (connection) => {
    // The statements that follow see what the holder before this one did.
    await connection.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.places])
    const { rows } = await connection.query<{ id: string; isCalled: boolean }>({
      name: 'call runs',
      text: callStatement,
      values: limits,
    })
    const { rows: left } = await connection.query<Pick<Called, 'hasWaiting' | 'ready'>>({
      name: 'why runs wait',
      text: reasonStatement,
      values: limits,
    })
    const ids = (isCalled: boolean) =>
      rows.flatMap((row) => (row.isCalled === isCalled ? [row.id] : []))
    const rest = left[0] ?? { hasWaiting: false, ready: [] }
    return { called: ids(true), freed: ids(false), ...rest }
  })
}

const order = `priority, "createdAt", id`
const waitsForPlace = `"waitsFor" IN ('person', 'configuration', 'site')`

/** Which runs have how many places left. A lane is the runs that wait of one person with one configuration. */
const room = `
site AS MATERIALIZED (
  SELECT $1::int - (SELECT count(*)::int FROM runs WHERE "sitePlace" IS NOT NULL) AS free),
lanes AS MATERIALIZED (SELECT DISTINCT "userId", "configurationId" FROM runs WHERE ${waitsForPlace}),
people AS MATERIALIZED (
  SELECT p."userId", p.most, p.most - (
    SELECT count(*)::int FROM runs r WHERE r."userId" = p."userId" AND r."personPlace" IS NOT NULL) AS free
  FROM (
    SELECT u.id AS "userId", CASE u.role WHEN 'admin' THEN $1::int ELSE least($1::int, $2::int) END AS most
    FROM users u WHERE u.id IN (SELECT "userId" FROM lanes)) p),
configurations AS MATERIALIZED (
  SELECT c."configurationId", least($1::int, $3::int) - (
    SELECT count(*)::int FROM runs r
    WHERE r."configurationId" = c."configurationId" AND r."configurationPlace" IS NOT NULL) AS free
  FROM (SELECT DISTINCT "configurationId" FROM lanes) c)`

const numbers = (kind: Kind, of: string, most: string) => {
  const { column, same } = kinds[kind]
  return `generate_series(1, ${most}) AS n
  WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE ${same(of)} r."${column}" = n)`
}

const callStatement = `
WITH frozen AS (SELECT EXISTS (SELECT 1 FROM settings WHERE key = '${freezeKey}') AS "isFrozen"),
stopped AS MATERIALIZED (
  SELECT id FROM runs
  WHERE "waitsFor" IS NOT NULL AND ("cancelledBy" IS NOT NULL OR (SELECT "isFrozen" FROM frozen)
    OR freezes <> (SELECT freezes FROM policy_version)
    OR NOT EXISTS (SELECT 1 FROM users u WHERE u.id = runs."userId" AND u."accessEpoch" = runs."accessEpoch"
      AND u."disabledAt" IS NULL AND u."deletedAt" IS NULL))
  ORDER BY id FOR NO KEY UPDATE),
freed AS (UPDATE runs SET "waitsFor" = NULL FROM stopped WHERE runs.id = stopped.id RETURNING runs.id),
${room},
first AS (
  SELECT w.*, p.free AS "ofPerson", c.free AS "ofConfiguration"
  FROM lanes l JOIN people p ON p."userId" = l."userId"
    JOIN configurations c ON c."configurationId" IS NOT DISTINCT FROM l."configurationId"
    CROSS JOIN LATERAL (
      SELECT id, "userId", "configurationId", priority, "createdAt" FROM runs r
      WHERE r."userId" = l."userId" AND r."configurationId" IS NOT DISTINCT FROM l."configurationId"
        AND r.${waitsForPlace} AND r."cancelledBy" IS NULL AND NOT (SELECT "isFrozen" FROM frozen)
      ORDER BY ${order} LIMIT greatest(0, least(p.free, c.free, (SELECT free FROM site)))) w),
fits_person AS (
  SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY "userId" ORDER BY ${order}) AS p FROM first) f
  WHERE p <= "ofPerson"),
fits_both AS (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "configurationId" ORDER BY ${order}) AS c FROM fits_person) f
  WHERE c <= "ofConfiguration"),
chosen AS MATERIALIZED (
  SELECT id, "userId", "configurationId", row_number() OVER (ORDER BY ${order}) AS s,
    row_number() OVER (PARTITION BY "userId" ORDER BY ${order}) AS p,
    row_number() OVER (PARTITION BY "configurationId" ORDER BY ${order}) AS c
  FROM (SELECT * FROM fits_both ORDER BY ${order} LIMIT greatest(0, (SELECT free FROM site))) f),
site_places AS (
  SELECT n, row_number() OVER (ORDER BY n) AS s FROM ${numbers('site', '', '$1::int')}),
person_places AS (
  SELECT o."userId", n, row_number() OVER (PARTITION BY o."userId" ORDER BY n) AS p
  FROM (SELECT "userId", most FROM people WHERE "userId" IN (SELECT "userId" FROM chosen)) o
    CROSS JOIN LATERAL (SELECT n FROM ${numbers('person', 'o', 'o.most')}) free),
configuration_places AS (
  SELECT o."configurationId", n, row_number() OVER (PARTITION BY o."configurationId" ORDER BY n) AS c
  FROM (SELECT DISTINCT "configurationId" FROM chosen WHERE "configurationId" IS NOT NULL) o
    CROSS JOIN LATERAL (SELECT n FROM ${numbers('configuration', 'o', 'least($1::int, $3::int)')}) free),
called AS (
  UPDATE runs SET "waitsFor" = 'server', "sitePlace" = sp.n, "personPlace" = pp.n, "configurationPlace" = cp.n
  FROM chosen ch JOIN site_places sp ON sp.s = ch.s
    JOIN person_places pp ON pp."userId" = ch."userId" AND pp.p = ch.p
    LEFT JOIN configuration_places cp ON cp."configurationId" = ch."configurationId" AND cp.c = ch.c
  WHERE runs.id = ch.id RETURNING runs.id)
SELECT id::text, true AS "isCalled" FROM called UNION ALL SELECT id::text, false FROM freed`

/** Maximum waiting runs that are notified of the reason at once, first in line first. */
const notifiedAtOnce = 500

const reasonStatement = `
WITH ${room},
why AS (
  SELECT r.id, CASE WHEN p.free <= 0 AND p.most < $1::int THEN 'person'
    WHEN c.free <= 0 AND $3::int < $1::int THEN 'configuration' ELSE 'site' END AS reason
  FROM (SELECT * FROM runs WHERE ${waitsForPlace} ORDER BY ${order} LIMIT ${notifiedAtOnce}) r
    JOIN people p ON p."userId" = r."userId"
    JOIN configurations c ON c."configurationId" IS NOT DISTINCT FROM r."configurationId"),
notified AS (
  UPDATE runs SET "waitsFor" = why.reason FROM why WHERE runs.id = why.id AND runs."waitsFor" <> why.reason)
SELECT EXISTS (SELECT 1 FROM runs WHERE "waitsFor" IS NOT NULL) AS "hasWaiting",
  ARRAY(SELECT id::text FROM runs WHERE "waitsFor" = 'server') AS ready`

/**
 * Claims a run that has its places, for the engine that works on it from now on, or for any when `instanceId` is null.
 * Returns false when it does not wait any more.
 */
export async function claimCalledRun(
  { pool }: Pick<Database, 'pool'>,
  runId: string,
  instanceId: string | null,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'claim called run',
    text: `WITH claimed AS (
        UPDATE runs SET "instanceId" = $2::uuid, "waitsFor" = NULL WHERE id = $1::uuid AND "waitsFor" = 'server' RETURNING id)
      SELECT CASE WHEN $2::uuid IS NULL THEN pg_notify('${channels.work}', id::text) IS NULL END FROM claimed`,
    values: [runId, instanceId],
  })
  return rowCount === 1
}
