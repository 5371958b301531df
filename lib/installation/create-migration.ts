import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import {
  LOCKFILE,
  LOCKFILE_TEXT,
  MIGRATIONS_FOLDER,
  readMigrations,
  readSchema,
} from './read-migrations'
import { withSchemaEngine } from './schema-engine'

/**
 * Writes prisma/migrations/<time>_<name>/migration.sql and returns the folder's name, or null when there is nothing to
 * change. See `pendingMigration` for what the server must allow.
 */
export async function createMigration(databaseUrl: string, name: string): Promise<string | null> {
  const script = await pendingMigration(databaseUrl)
  if (script === null) return null
  const folder = `${timestamp(new Date())}_${name}`
  await mkdir(path.join(MIGRATIONS_FOLDER, folder), { recursive: true })
  await writeFile(path.join(MIGRATIONS_FOLDER, folder, 'migration.sql'), script)
  await writeFile(path.join(MIGRATIONS_FOLDER, LOCKFILE), LOCKFILE_TEXT)
  return folder
}

/**
 * The SQL that leads from the existing migrations to schema.prisma; null when they lead there already. The server at
 * `databaseUrl` must allow CREATE DATABASE: the migrations are replayed in a database of their own, dropped again.
 */
export async function pendingMigration(databaseUrl: string): Promise<string | null> {
  const [migrationsList, schema] = await Promise.all([readMigrations(), readSchema()])
  const difference = await withShadowDatabase(databaseUrl, (shadowUrl) =>
    withSchemaEngine({ databaseUrl, shadowUrl }, schema, (engine) =>
      engine.diff({
        from: { tag: 'migrations', ...migrationsList },
        to: { tag: 'schemaDatamodel', files: [{ path: schema[0], content: schema[1] }] },
        script: true,
        exitCode: true,
        filters: { externalTables: [], externalEnums: [] },
      }),
    ),
  )
  return difference.exitCode === 0 ? null : difference.stdout
}

/** 20260131235959, in UTC: folders sort in the order they were written. */
function timestamp(now: Date): string {
  return now.toISOString().replace(/\D/g, '').slice(0, 14)
}

async function withShadowDatabase<T>(
  databaseUrl: string,
  work: (shadowUrl: string) => Promise<T>,
): Promise<T> {
  const database = `toolgate_shadow_${randomUUID().replaceAll('-', '')}`
  const shadowUrl = new URL(databaseUrl)
  shadowUrl.pathname = `/${database}`
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${database}`)
    return await work(shadowUrl.href)
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    await client.end()
  }
}
