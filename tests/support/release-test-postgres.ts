import { openTestPostgres } from './test-postgres'

/** Drops the databases of killed test runs, and stops their PostgreSQL unless another run uses it. */
async function main(): Promise<void> {
  const postgres = await openTestPostgres()
  await postgres.release()
}

await main()
