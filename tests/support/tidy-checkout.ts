import path from 'node:path'
import { openTestPostgres } from './test-postgres'
import { removeOldPrograms } from './test-programs'

/**
 * Removes from this checkout what killed test runs left in it: databases and compiled programs. Stops the PostgreSQL
 * for tests unless another run uses it.
 */
async function main(): Promise<void> {
  await removeOldPrograms(path.resolve('.data'))
  const postgres = await openTestPostgres()
  await postgres.release()
}

await main()
