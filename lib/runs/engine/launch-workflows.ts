import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { Client } from 'pg'
import { env } from '@/lib/kernel/env'
import { advisoryLocks } from '@/lib/kernel/locks'

const askEveryMs = 100

/**
 * Launches DBOS in one process at a time, because it migrates its own tables first and two concurrent migrations of a
 * new database deadlock. The lock is polled, because a waiting statement would block the index that the other process
 * builds.
 */
export async function launchWorkflows(): Promise<void> {
  const client = new Client({ connectionString: env().DATABASE_URL })
  await client.connect()
  try {
    while (!(await isFree(client))) await wait(askEveryMs)
    await DBOS.launch()
  } finally {
    await client.end()
  }
}

async function isFree(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS free',
    [advisoryLocks.launch],
  )
  return rows[0]?.free === true
}
