// npm run db:migration NAME: writes the migration that leads from the existing ones to prisma/schema.prisma.
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { explainFailure } from '@/lib/installation/installation-error'
import { MIGRATIONS_FOLDER, migrate } from '@/lib/installation/migrate'
import { openInstallation } from '@/lib/installation/prepare-installation'
import { schemaDifference } from './migration/schema-difference'
import { runSteps, StepError } from './steps/step.mjs'

await runSteps(() => writeMigration(process.argv[2] ?? ''), explainFailure)
// A ten-second timer of the schema engine would keep the process alive.
process.exit()

async function writeMigration(name: string): Promise<void> {
  if (!/^\w{1,80}$/.test(name)) {
    throw new StepError('Name the migration with letters, digits and _: npm run db:migration NAME')
  }
  const sql = await missingSql()
  if (sql === null) return console.log('The schema has not changed.')
  const file = `${timestamp(new Date())}_${name}.sql`
  await writeFile(path.join(MIGRATIONS_FOLDER, file), sql)
  console.log(`Wrote prisma/migrations/${file}.`)
}

/** Compares with a new database that has all migrations, because one in use may have been changed by hand. */
async function missingSql(): Promise<string | null> {
  const installation = await openInstallation()
  try {
    return await withNewDatabase(String(installation.env.DATABASE_URL), async (url) => {
      await migrate(url)
      return schemaDifference(url)
    })
  } finally {
    await installation.stop()
  }
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

/** Returns such as 20260131235959, in UTC: files sort in the order they were written. */
function timestamp(now: Date): string {
  return now.toISOString().replace(/\D/g, '').slice(0, 14)
}
