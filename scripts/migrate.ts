import { createMigration } from '@/lib/installation/create-migration'
import { migrate } from '@/lib/installation/migrate'

const USAGE = 'Usage: npm run db:migrate, or npm run db:migration NAME (letters, digits and _).'

async function main([verb, name]: string[]): Promise<void> {
  const databaseUrl = process.env.DATABASE_URL
  if (!databaseUrl) throw new Error('DATABASE_URL is not set.')
  if (verb === undefined) {
    const applied = await migrate(databaseUrl)
    console.log(
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
    )
    return
  }
  if (verb !== 'create' || !name || !/^\w{1,80}$/.test(name)) throw new Error(USAGE)
  const folder = await createMigration(databaseUrl, name)
  console.log(folder ? `Wrote prisma/migrations/${folder}.` : 'The schema has not changed.')
}

await main(process.argv.slice(2))
// The schema engine leaves a ten-second timer behind; nothing is left to do.
process.exit()
