import { db } from '@/lib/db'
import { seed } from '@/prisma/seed'
import { addPerson } from './people'

/** Empties this test's database and seeds it, as a first start does, with the admin of the examples. */
export async function openDocumentedSite() {
  // The engine of this process goes on: its row stays.
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('_prisma_migrations', 'instances')`
  await db().$executeRawUnsafe(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`)
  await seed({ source: {}, ollamaUrl: 'http://127.0.0.1:9' })
  return addPerson('admin', 'you@example.org')
}
