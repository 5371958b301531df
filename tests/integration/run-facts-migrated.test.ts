import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '@/lib/installation/migrate'
import { databaseBefore } from '../support/database-before'

test('runs from before are found by what their calls were, and stay in the sums of usage', async () => {
  const { database, client } = await databaseBefore('call_facts')
  const [user, run, empty] = [randomUUID(), randomUUID(), randomUUID()]
  await client.query(
    `INSERT INTO users (id, email, name, role, "updatedAt") VALUES ($1, 'a@example.org', 'A', 'admin', now())`,
    [user],
  )
  await client.query(
    `INSERT INTO runs (id, "userId", status, request, prompt) VALUES ($2, $1, 'ended', '{}', 'p'), ($3, $1, 'ended', '{}', 'p')`,
    [user, run, empty],
  )
  await client.query(
    `INSERT INTO call_records ("runId", "callId", "toolName", "userId", outcome, "durationMs") VALUES
       ($2, 'a', 'get_env', $1, 'ok', 1), ($2, 'b', 'get_env', $1, 'denied', 0), ($2, 'c', 'echo', $1, 'invalid-arguments', 0)`,
    [user, run],
  )
  const refused = { callId: 'b', outcome: { type: 'denied', gate: 'role', reason: 'r' } }
  await client.query(
    `INSERT INTO run_events ("runId", seq, type, data) VALUES ($1, 1, 'call-end', $2)`,
    [run, JSON.stringify(refused)],
  )
  await client.query(`UPDATE runs SET "callsRolledUp" = true`)
  await client.query(`SELECT roll_up_calls(ARRAY[$1]::uuid[], 1)`, [run])
  await migrate(database.url)
  const { rows } = await client.query(
    `SELECT id, "callFacts", "callsRolledUp" FROM runs ORDER BY "callFacts" = '{}'`,
  )
  const facts = [
    ...['gate:role', 'gate:role tool:get_env', 'outcome:denied', 'outcome:denied tool:get_env'],
    ...['outcome:done', 'outcome:done tool:get_env', 'outcome:failed', 'outcome:failed tool:echo'],
    ...['tool:echo', 'tool:get_env'],
  ]
  expect(
    rows.map(({ callFacts, ...row }) => ({ ...row, callFacts: callFacts.toSorted() })),
  ).toEqual([
    { id: run, callFacts: facts, callsRolledUp: true },
    { id: empty, callFacts: [], callsRolledUp: true },
  ])
  await client.end()
  await database.drop()
})
