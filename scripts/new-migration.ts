// npm run db:migration NAME: writes the migration that leads from the existing ones to prisma/schema.prisma.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { explainFailure } from '@/lib/installation/installation-error'
import { MIGRATIONS_FOLDER } from '@/lib/installation/migrate'
import { openInstallation } from '@/lib/installation/prepare-installation'
import { missingSql } from './migration/missing-sql'
import { runSteps, StepError } from './steps/step.mjs'

await runSteps(() => writeMigration(process.argv[2] ?? ''), explainFailure)
// A ten-second timer of the schema engine would keep the process alive.
process.exit()

async function writeMigration(name: string): Promise<void> {
  if (!/^\w{1,80}$/.test(name)) {
    throw new StepError('Name the migration with letters, digits and _: npm run db:migration NAME')
  }
  const sql = await missingHere()
  if (sql === null) return console.log('The schema has not changed.')
  const file = `${timestamp(new Date())}_${name}.sql`
  await writeFile(path.join(MIGRATIONS_FOLDER, file), sql)
  console.log(`Wrote prisma/migrations/${file}.`)
}

async function missingHere(): Promise<string | null> {
  const installation = await openInstallation()
  try {
    return await missingSql(String(installation.env.DATABASE_URL))
  } finally {
    await installation.stop()
  }
}

/** Returns such as 20260131235959, in UTC: files sort in the order they were written. */
function timestamp(now: Date): string {
  return now.toISOString().replace(/\D/g, '').slice(0, 14)
}
