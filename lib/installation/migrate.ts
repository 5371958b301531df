import { createHash } from 'node:crypto'
import type { MigrationList } from '@prisma/schema-engine-wasm'
import pg from 'pg'
import { InstallationError } from './installation-error'
import { readMigrationHistory } from './migration-history'
import { readMigrations, readSchema } from './read-migrations'

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
    const migrationsList = await readMigrations()
    if (await isUpToDate(client, migrationsList)) return []
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    const schema = await readSchema()
    const { withSchemaEngine } = await import('./schema-engine')
    const filters = { externalTables: [], externalEnums: [] }
    const applied = await withSchemaEngine({ databaseUrl }, schema, (engine) =>
      engine.applyMigrations({ migrationsList, filters }).catch(explain),
    )
    return applied.appliedMigrationNames
  } finally {
    await client.end()
  }
}

/** The usual case, answered without loading the engine (half a second): history and folder are the same. */
async function isUpToDate(
  client: pg.Client,
  { migrationDirectories }: MigrationList,
): Promise<boolean> {
  const history = await readMigrationHistory(client)
  if (history.length !== migrationDirectories.length) return false
  const done = new Map(history.map((row) => [row.name, row.finished ? row.checksum : null]))
  return migrationDirectories.every(({ path, migrationFile: { content } }) => {
    return content.tag === 'ok' && done.get(path) === sha256(content.value)
  })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The engine's message goes on with where in its own sources it was; the first lines are for people. */
function explain(cause: Error): never {
  const reason = cause.message
    .split(/\n\s*0: /)[0]
    ?.replace(/\s+/g, ' ')
    .trim()
  throw new InstallationError(`The database cannot be migrated: ${reason}`, { cause })
}
