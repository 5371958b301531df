import { estimateUpgrade, type UpgradeEstimate } from './estimate-upgrade'
import { pendingMigrations, readMigrationHistory, readMigrations } from './migrate'
import { openClient } from './require-database'

/** `pending`: the names of the migrations that the next start applies, oldest first. */
export type UpgradePlan = UpgradeEstimate & { pending: string[] }

/**
 * Returns what the next start does to a database, and changes nothing. Rows and room are what PostgreSQL estimates. Throws
 * MigrationError when this version cannot use the database, InstallationError when it cannot be reached.
 */
export async function planUpgrade(databaseUrl: string, folder?: string): Promise<UpgradePlan> {
  const client = await openClient(databaseUrl)
  try {
    const pending = pendingMigrations(
      await readMigrations(folder),
      await readMigrationHistory(client),
    )
    const estimate = await estimateUpgrade(client, pending)
    return { pending: pending.map(({ name }) => name), ...estimate }
  } finally {
    await client.end()
  }
}
