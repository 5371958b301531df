import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { MIGRATIONS_FOLDER, migrate } from '@/lib/installation/migrate'
import { schemaDifference } from './schema-difference'

/**
 * Returns the SQL that leads from all migrations to prisma/schema.prisma; null when there is nothing to do. It compares with
 * a new database on the server at `databaseUrl`, because one in use may have been changed by hand.
 */
export async function missingSql(databaseUrl: string): Promise<string | null> {
  return withNewDatabase(databaseUrl, async (url) => {
    // Naming the folder leaves out the triggers of deciding tables: the migration of such a table may be the one that is missing.
    await migrate(url, MIGRATIONS_FOLDER)
    return schemaDifference(url)
  })
}

/** Lends an empty database on the server at `databaseUrl`, which must allow CREATE DATABASE, and drops it again. */
async function withNewDatabase<T>(
  databaseUrl: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const database = `toolgate_new_migration_${randomUUID().replaceAll('-', '')}`
  const url = new URL(databaseUrl)
  url.pathname = `/${database}`
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${database}`)
    return await work(url.href)
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    await client.end()
  }
}
