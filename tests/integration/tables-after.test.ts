import pg from 'pg'
import { expect, test } from 'vitest'
import { readConsoleTables } from '@/lib/installation/backup/console-tables'
import { tablesAfter } from '@/lib/installation/backup/tables-after'
import { readMigrations } from '@/lib/installation/migrate'
import { createTestDatabase } from '@/tests/support/test-database'

test('the tables and columns that migrations are read to make are those that PostgreSQL has, after each', async () => {
  const database = await createTestDatabase('_tables_after', { migrated: false })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const migrations = await readMigrations()
  const inOrder = (tables: readonly { table: string; columns: string[] }[]) =>
    tables.map(({ table, columns }) => `${table}: ${columns.toSorted().join()}`).toSorted()
  try {
    for (const [place, { name, sql }] of migrations.entries()) {
      await client.query('BEGIN')
      await client.query(sql)
      await client.query('COMMIT')
      const applied = migrations.slice(0, place + 1)
      expect(inOrder(tablesAfter(applied)), name).toEqual(
        inOrder(await readConsoleTables(client, applied)),
      )
    }
    expect(tablesAfter(migrations).length).toBeGreaterThan(50)
  } finally {
    await client.end()
    await database.drop()
  }
})
