import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { MIGRATIONS_FOLDER, migrate } from '@/lib/installation/migrate'
import { createTestDatabase } from './test-database'

/** Creates a database as it was before the migration with this name, and a client for it. The caller ends both. */
export async function databaseBefore(migration: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-before-'))
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true })
  const names = (await readdir(folder)).sort()
  const at = names.findIndex((name) => name.endsWith(`_${migration}.sql`))
  for (const name of names.slice(at)) await rm(path.join(folder, name))
  const database = await createTestDatabase(`_before_${migration}`, { migrated: false })
  await migrate(database.url, folder)
  await rm(folder, { recursive: true })
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  return { database, client }
}
