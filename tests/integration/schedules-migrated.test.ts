import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '@/lib/installation/migrate'
import { databaseBefore } from '@/tests/support/database-before'

test('schedules and tasks from before have the authors that the audit and their versions know', async () => {
  const { database, client } = await databaseBefore('schedule_consent')
  try {
    const [ada, ben, task] = [randomUUID(), randomUUID(), randomUUID()]
    const [audited, labelled, unknown] = [randomUUID(), randomUUID(), randomUUID()]
    await client.query(
      `INSERT INTO users (id, email, name, role, "updatedAt") VALUES
         ($1, 'ada@example.org', 'Ada', 'admin', now()), ($2, 'ben@example.org', 'Ben', 'admin', now())`,
      [ada, ben],
    )
    for (const [id, by] of [
      [audited, 'ada@example.org'],
      [labelled, 'ben@example.org'],
      [unknown, 'gone@example.org'],
    ])
      await client.query(
        `INSERT INTO schedules (id, name, cron, "timeZone", prompt, "userId", "createdByLabel", "updatedAt")
         VALUES ($1, $3, '* * * * *', 'UTC', 'Hello.', $2, $3, now())`,
        [id, ada, by],
      )
    await client.query(
      `INSERT INTO audit_entries (id, at, "actorId", "actorLabel", action, "objectType", "objectId") VALUES
         (gen_random_uuid(), '2026-01-01', $2, 'ada@example.org', 'schedule.create', 'schedule', $1),
         (gen_random_uuid(), '2026-02-02', $3, 'ben@example.org', 'schedule.update', 'schedule', $1)`,
      [audited, ada, ben],
    )
    await client.query(
      `INSERT INTO tasks (id, identifier, name, prompt, version, "updatedAt") VALUES ($1, 't', 'T', 'new', 3, now())`,
      [task],
    )
    await client.query(
      `INSERT INTO task_versions ("taskId", version, data, "createdByLabel") VALUES
         ($1, 1, '{"prompt":"old"}', 'ada@example.org'),
         ($1, 2, '{"prompt":"new"}', 'ben@example.org (in a terminal as root)'),
         ($1, 3, '{"prompt":"new"}', 'gone@example.org')`,
      [task],
    )
    const own = randomUUID()
    await client.query(
      `INSERT INTO schedules (id, name, cron, "timeZone", prompt, "taskId", "userId", "createdByLabel", "updatedAt")
       VALUES ($1, 'Own', '* * * * *', 'UTC', '', $2, $3, 'zoe@example.org', now())`,
      [own, task, ada],
    )
    await client.query(
      `INSERT INTO audit_entries (id, at, "actorId", "actorLabel", action, "objectType", "objectId")
       VALUES (gen_random_uuid(), now(), $2, 'ada@example.org', 'schedule.create', 'schedule', $1)`,
      [own, ada],
    )
    await migrate(database.url)
    const { rows } = await client.query(
      `SELECT id, "createdById", authors, "consentHash" FROM schedules ORDER BY "createdByLabel"`,
    )
    const unasked = { consentHash: null }
    expect(rows).toEqual([
      { id: audited, createdById: ada, authors: [ben], ...unasked },
      { id: labelled, createdById: ben, authors: [ben], ...unasked },
      { id: unknown, createdById: null, authors: [], ...unasked },
      { id: own, createdById: ada, authors: [ada], consentHash: `task ${task} 3` },
    ])
    const tasks = await client.query('SELECT "createdById", authors FROM tasks')
    expect(tasks.rows).toEqual([{ createdById: ada, authors: [ben] }])
  } finally {
    await client.end()
    await database.drop()
  }
})
