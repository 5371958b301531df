import pg from 'pg'
import { readMigrations, readSchema } from './read-migrations'
import { withSchemaEngine } from './schema-engine'

// Any constant of our own: Prisma's engine uses 72707369 for itself.
const LOCK = 5_862_190_417

/**
 * Applies what is missing of prisma/migrations and returns the names it applied, oldest first.
 * Safe when several processes start at once: they queue on an advisory lock, and the later ones find nothing to do.
 * Throws when the database is unreachable or its history does not fit the folder.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const [migrationsList, schema] = await Promise.all([readMigrations(), readSchema()])
    const filters = { externalTables: [], externalEnums: [] }
    const applied = await withSchemaEngine({ databaseUrl }, schema, (engine) =>
      engine.applyMigrations({ migrationsList, filters }),
    )
    return applied.appliedMigrationNames
  } finally {
    await client.end()
  }
}
