import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '@/lib/installation/migrate'
import { databaseBefore } from '@/tests/support/database-before'

test('groups from before say who added them and when they were changed, as far as the audit knows', async () => {
  const { database, client } = await databaseBefore('group_facts')
  const [audited, unknown] = [randomUUID(), randomUUID()]
  await client.query(
    `INSERT INTO groups (id, name, "createdAt") VALUES ($1, 'A', '2026-01-01'), ($2, 'B', '2026-01-02')`,
    [audited, unknown],
  )
  await client.query(
    `INSERT INTO audit_entries (id, at, "actorLabel", action, "objectType", "objectId") VALUES
       (gen_random_uuid(), '2026-01-01', 'ada@example.org', 'group.create', 'group', $1),
       (gen_random_uuid(), '2026-02-03', 'ben@example.org', 'group.update', 'group', $1),
       (gen_random_uuid(), '2026-02-02', 'ben@example.org', 'group.update', 'group', $1)`,
    [audited],
  )
  await migrate(database.url)
  const { rows } = await client.query(
    `SELECT name, "createdByLabel", "updatedAt"::date::text AS changed FROM groups ORDER BY name`,
  )
  expect(rows).toEqual([
    { name: 'A', createdByLabel: 'ada@example.org', changed: '2026-02-03' },
    { name: 'B', createdByLabel: '', changed: '2026-01-02' },
  ])
  await client.end()
  await database.drop()
})
