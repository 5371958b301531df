import { guardVaultKey } from '@/lib/domains/vault/guard-vault-key'
import { createMigration } from '@/lib/installation/create-migration'
import { explainFailure } from '@/lib/installation/explain-failure'
import { migrate } from '@/lib/installation/migrate'
import { openInstallation } from '@/lib/installation/prepare-installation'
import { runSteps, StepError } from './steps/step.mjs'

await runSteps(() => main(process.argv.slice(2)).catch(explain))
// The schema engine leaves a ten-second timer behind; nothing is left to do.
process.exit()

async function main([verb, name]: string[]): Promise<void> {
  const installation = await openInstallation()
  try {
    const databaseUrl = String(installation.env.DATABASE_URL)
    if (verb === 'create') await create(databaseUrl, name ?? '')
    else await apply(databaseUrl)
  } finally {
    await installation.stop()
  }
}

async function apply(databaseUrl: string): Promise<void> {
  await guardVaultKey(databaseUrl)
  const applied = await migrate(databaseUrl)
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
}

async function create(databaseUrl: string, name: string): Promise<void> {
  if (!/^\w{1,80}$/.test(name)) {
    throw new StepError('Name the migration with letters, digits and _: npm run db:migration NAME')
  }
  const folder = await createMigration(databaseUrl, name)
  console.log(folder ? `Wrote prisma/migrations/${folder}.` : 'The schema has not changed.')
}

function explain(error: unknown): never {
  const sentence = explainFailure(error)
  throw sentence === null ? error : new StepError(sentence)
}
