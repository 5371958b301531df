import pg from 'pg'
import { readSite } from './site'

/** Makes this person's sign-ins look this many minutes old, in all of their browsers. */
export async function setLastProof(email: string, minutesAgo: number): Promise<void> {
  const client = new pg.Client({ connectionString: readSite().env.DATABASE_URL })
  await client.connect()
  await client.query(
    `UPDATE sessions SET "authenticatedAt" = now() AT TIME ZONE 'UTC' - $2 * interval '1 minute'
     WHERE "userId" = (SELECT id FROM users WHERE email = $1)`,
    [email, minutesAgo],
  )
  await client.end()
}
