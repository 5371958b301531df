import { db } from '@/lib/kernel/db'
import { seed } from '@/prisma/seed'
import { addPerson } from './people'

/** Tables that were filled before the first document: by migrations, and by the engine of this process. */
let filledBefore: Promise<ReadonlySet<string>> | undefined

/** Empties this test's database and seeds it, as a first start does, with the admin of the examples. */
export async function openDocumentedSite() {
  filledBefore ??= filledTables()
  const kept = await filledBefore
  const emptied = (await tables()).filter((name) => !kept.has(name))
  await empty(emptied)
  await seed({ source: {}, ollamaUrl: 'http://127.0.0.1:9' })
  return addPerson('admin', 'you@example.org')
}

/** Empties tables. What a program of the document before still writes may wait for it as it waits for that: it tries again then. */
async function empty(names: readonly string[]): Promise<void> {
  const truncate = () => db().$executeRawUnsafe(`TRUNCATE ${names.join(', ')}`)
  for (let tries = 1; tries < 5; tries++) {
    try {
      await truncate()
      return
    } catch (error) {
      if (!String(error).includes('deadlock detected')) throw error
    }
  }
  await truncate()
}

async function tables(): Promise<string[]> {
  const rows = await db().$queryRaw<{ name: string }[]>`
    SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`
  return rows.map(({ name }) => name)
}

async function filledTables(): Promise<ReadonlySet<string>> {
  const filled: string[] = []
  for (const name of await tables()) {
    const rows = await db().$queryRawUnsafe<unknown[]>(`SELECT 1 FROM ${name} LIMIT 1`)
    if (rows.length > 0) filled.push(name)
  }
  return new Set(filled)
}
