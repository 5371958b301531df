import { expect, test } from 'vitest'
import { pendingMigration } from '@/lib/installation/create-migration'
import { migrate } from '@/lib/installation/migrate'
import { db } from '@/lib/kernel/db'
import { createTestDatabase } from '../support/test-database'

test('a test file owns a migrated database, and migrating again changes nothing', async () => {
  const group = await db().group.create({ data: { name: 'Editors' } })
  expect(await migrate(String(process.env.DATABASE_URL))).toEqual([])
  expect(await db().group.findMany()).toEqual([group])
})

test('copies are separate databases', async () => {
  const other = await createTestDatabase('_other')
  expect(other.url).not.toBe(process.env.DATABASE_URL)
  expect(await migrate(other.url)).toEqual([])
  await other.drop()
})

test('the migrations lead to the data model: nothing is left to migrate', async () => {
  expect(await pendingMigration(String(process.env.DATABASE_URL))).toBe(null)
})
