// npm run db:migrate: applies the migrations that the database lacks.
import { guardVaultKey } from '@/lib/domains/vault/check-vault-key'
import { explainFailure } from '@/lib/installation/installation-error'
import { migrate } from '@/lib/installation/migrate'
import { openInstallation } from '@/lib/installation/prepare-installation'
import { runSteps } from './steps/step.mjs'

await runSteps(applyMigrations, explainFailure)

async function applyMigrations(): Promise<void> {
  const installation = await openInstallation()
  try {
    const databaseUrl = String(installation.env.DATABASE_URL)
    await guardVaultKey(databaseUrl)
    const applied = await migrate(databaseUrl)
    console.log(
      applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.',
    )
  } finally {
    await installation.stop()
  }
}
