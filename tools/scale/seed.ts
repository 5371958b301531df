import type pg from 'pg'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import { addPerson } from '@/tests/support/people'
import { call, callEnd, end, message, ok, roundStart, start } from '@/tests/support/trace-events'

/**
 * Numbers of added rows. Runs have events and usage records in equal numbers, as far as these can be divided by runs.
 */
export type Size = { runs: number; events: number; usage: number }

const people = 50
const connections = 3
const configurations = 12
/** The events of the one long run. */
const longRun = 10_000

/** Adds the history of a year in statements over whole sets, and returns the id of its longest run. */
export async function seed(client: pg.Client, admin: Ctx, size: Size): Promise<string> {
  await addNouns(admin)
  await client.query('SET synchronous_commit = off')
  await client.query(`
    CREATE TEMP TABLE person AS SELECT id, (row_number() OVER (ORDER BY id) - 1)::int AS n FROM users;
    CREATE TEMP TABLE configuration AS
      SELECT c.id, c."modelId", m."connectionId", m."modelId" AS name, (row_number() OVER (ORDER BY c.id) - 1)::int AS n
      FROM configurations c JOIN models m ON m.id = c."modelId"`)
  await client.query(runs, [size.runs])
  const perRun = Math.max(1, Math.round(size.events / size.runs))
  await client.query(events, [JSON.stringify(journal(perRun)), size.runs])
  await client.query(usage, [Math.max(1, Math.round(size.usage / size.runs))])
  await client.query(calls, [3])
  await client.query(approvals)
  await client.query(audit)
  await client.query('DROP TABLE person, configuration')
  const { rows } = await client.query<{ id: string }>('SELECT id FROM runs ORDER BY id LIMIT 1')
  const id = rows[0]?.id ?? ''
  await client.query('DELETE FROM run_events WHERE "runId" = $1', [id])
  await client.query(events, [JSON.stringify(journal(longRun)), 1])
  return id
}

async function addNouns(admin: Ctx): Promise<void> {
  for (let n = 1; n < people; n += 1) await addPerson('member', `person-${n}@example.org`)
  const models: string[] = []
  for (let n = 1; n <= connections; n += 1) {
    const connection = await createConnection(admin, {
      name: `Provider ${n}`,
      wire: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:9/v1',
      trustZone: 'local',
      privateAddressAllowed: true,
      apiKey: 'sk-none',
    })
    for (const name of ['small', 'large']) {
      const model = await createModel(admin, {
        connectionId: connection.id,
        modelId: `${name}-${n}`,
        displayName: `Model ${name} ${n}`,
        contextTokens: 128_000,
        maxOutputTokens: 4_000,
        toolCalling: 'confirmed',
      })
      models.push(model.id)
    }
  }
  for (let n = 1; n <= configurations; n += 1) {
    const modelId = models[n % models.length] ?? ''
    const identifier = `configuration-${n}`
    await createConfiguration(admin, {
      identifier,
      name: `Configuration ${n}`,
      modelId,
      maxRounds: 20,
    })
  }
}

/** Returns the journal of a run with about so many events: rounds of four, and the answer. */
function journal(count: number): RunEventBody[] {
  const rounds = Array.from(
    { length: Math.max(0, Math.floor((count - 4) / 4)) },
    (_, index) => index + 1,
  )
  const last = rounds.length + 1
  return [
    start,
    ...rounds.flatMap((round): RunEventBody[] => {
      const input = { ...call('fetch_logs', '{"lines":20}'), callId: `call-fetch_logs-${round}` }
      const { callId } = input
      const ended = callEnd('fetch_logs', ok('A line of the log.\n'.repeat(10)), round)
      const started = { round, callId, name: 'fetch_logs', effect: 'read', attempt: 1 } as const
      return [
        roundStart(round),
        message(round, { text: 'I look at the logs first.', toolCalls: [input] }),
        { type: 'call-start', data: started },
        { ...ended, data: { ...ended.data, callId } } as RunEventBody,
      ]
    }),
    roundStart(last),
    message(last, { text: 'The disk is full since nine. Remove the old backups.' }),
    {
      ...end,
      data: { ...end.data, reason: 'completed', truncated: false, message: '' },
    } as RunEventBody,
  ]
}

/** A number from 0 to 1 that is the same for the same text. */
const chance = (text: string) => `((hashtext(${text}) & 2147483647) / 2147483647.0)`
const words = `ARRAY['why','does','the','server','disk','invoice','customer','failed','slow','login','report','week',
  'compare','summarise','backup','region','latency','queue','order','payment','certificate','deploy','ticket','memory']`

/** Each person works with three configurations. Ids are made in order of time, as in production. */
const runs = `
  INSERT INTO runs (id, "userId", "configurationId", status, request, prompt, source, "endReason", rounds, calls,
    "inputTokens", "outputTokens", "costMicroUsd", "lastSeq", "createdAt", "endedAt", "durationMs")
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(s.n::text), 1, 3) || '8' ||
      substr(md5(s.n::text), 4, 15))::uuid,
    p.id, c.id, 'ended', '{"tools": null, "maxRounds": 20}',
    (SELECT string_agg((${words})[1 + floor(${chance("s.n || 'w' || i")} * 24)::int], ' ') FROM generate_series(1, 40) i)
      || ' case ' || s.n,
    CASE WHEN s.n % 10 = 0 THEN 'api' ELSE 'console' END,
    CASE WHEN s.n % 20 = 0 THEN 'cancelled' WHEN s.n % 50 = 1 THEN 'provider-error' ELSE 'completed' END, 5, 4, 6000, 150,
    (400 + 40000 * power(${chance("s.n || 'd'")}, 4))::int, 20, at, at + interval '12 s', (2000 + 60000 * power(${chance("s.n || 's'")}, 3))::int
  FROM (SELECT n, date_trunc('milliseconds', now() AT TIME ZONE 'UTC'
      - (${chance("n || 't'")} * 365)::float8 * interval '1 day') AS at FROM generate_series(1, $1::int) n) s
    JOIN person p ON p.n = floor(power(${chance("s.n || 'p'")}, 2) * ${people})::int
    JOIN configuration c ON c.n = (p.n + floor(power(${chance("s.n || 'c'")}, 2) * 3)::int) % ${configurations}`

const events = `
  INSERT INTO run_events ("runId", seq, type, data, at)
  SELECT r.id, e.seq, e.event->>'type', e.event->'data', r."createdAt" + e.seq * interval '10 ms'
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY e(event, seq)
    CROSS JOIN (SELECT id, "createdAt" FROM runs ORDER BY id LIMIT $2::int) r`

/** One request in fifty falls back to the model of the next configuration. */
const usage = `
  INSERT INTO usage_records (id, "runId", round, "userId", "configurationId", "connectionId", "modelRecordId", "modelId",
    "inputTokens", "outputTokens", "cachedInputTokens", "cacheWriteTokens", "reasoningTokens", estimated, "costMicroUsd",
    "latencyMs", retries, fallback, "errorCategory", at)
  SELECT gen_random_uuid(), r.id, round, r."userId", r."configurationId", m."connectionId", m."modelId", m.name,
    (800 + 900 * ${chance('r.id::text || round')})::int, 30, 200, 0, 0, false, (300 + 200 * ${chance('r.id::text || round')})::int,
    (300 * exp(2 * ${chance("r.id::text || 'l' || round")}))::int, 0, falls,
    CASE WHEN ${chance("r.id::text || 'e' || round")} < 0.01 THEN 'server' END, r."createdAt" + round * interval '2 s'
  FROM runs r CROSS JOIN generate_series(1, $1::int) round
    CROSS JOIN LATERAL (SELECT ${chance("r.id::text || 'f' || round")} < 0.02 AS falls) f
    JOIN configuration c ON c.id = r."configurationId"
    JOIN configuration m ON m.n = (c.n + falls::int) % ${configurations}`

/** Calls of runs: of a hundred two fail, three are denied, most of them by their switch, and one times out. */
const calls = `
  INSERT INTO call_records ("runId", "callId", "toolName", "userId", "configurationId", outcome, gate, "durationMs", at)
  SELECT r.id, 'call-' || n, (ARRAY['fetch_logs', 'get_env', 'get_runtime_info', 'list_users'])[1 + ((hashtext(r.id::text) + n) & 3)],
    r."userId", r."configurationId", CASE WHEN luck < 0.02 THEN 'failed' WHEN luck < 0.05 THEN 'denied' WHEN luck < 0.06 THEN 'timed-out' ELSE 'ok' END,
    CASE WHEN luck BETWEEN 0.02 AND 0.04 THEN 'enabled' WHEN luck BETWEEN 0.02 AND 0.05 THEN 'role' END,
    (20 * exp(3 * ${chance("r.id::text || 'd' || n")}))::int, r."createdAt" + n * interval '2 s'
  FROM runs r CROSS JOIN generate_series(1, $1::int) n
    CROSS JOIN LATERAL (SELECT ${chance('r.id::text || n')} AS luck) l`

const approvals = `
  INSERT INTO approvals (id, "runId", "callId", round, "toolName", "argumentsText", "argumentsHash", "ruleName", status,
    "requestedAt", "expiresAt", "decidedAt", "decidedByLabel")
  SELECT gen_random_uuid(), id, 'call-1', 1, 'fetch_logs', '{"lines":20}', md5(id::text), 'Logs', 'approved',
    "createdAt", "createdAt" + interval '1 hour', "createdAt" + interval '1 minute', 'admin@example.org'
  FROM runs WHERE hashtext(id::text) % 20 = 0`

const audit = `
  INSERT INTO audit_entries (id, at, "actorId", "actorLabel", action, "objectType", "objectId", after)
  SELECT id, "createdAt", "userId", 'person@example.org', 'run.start', 'run', id::text, '{"prompt": "…"}' FROM runs`
