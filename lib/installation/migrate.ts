import pg from 'pg'
import { InstallationError } from './installation-error'
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
      engine.applyMigrations({ migrationsList, filters }).catch(explain),
    )
    return applied.appliedMigrationNames
  } finally {
    await client.end()
  }
}

/** The engine's message goes on with where in its own sources it was; the first lines are for people. */
function explain(cause: Error): never {
  const reason = cause.message
    .split(/\n\s*0: /)[0]
    ?.replace(/\s+/g, ' ')
    .trim()
  throw new InstallationError(`The database cannot be migrated: ${reason}`, { cause })
}
