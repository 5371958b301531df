import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export const MIGRATIONS_FOLDER = path.join(import.meta.dirname, '../../prisma/migrations')

/** One file of prisma/migrations: `name` is the file's without `.sql`, `checksum` the SHA-256 of `sql` in hex. */
export type Migration = { name: string; sql: string; checksum: string }

/** Reads the migrations in `folder`, oldest first: their names begin with the time when they were written. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const files = await readdir(folder)
  return Promise.all(files.sort().map((file) => readMigration(folder, file)))
}

/** Throws when the folder holds something else, which would be left out in silence. */
async function readMigration(folder: string, file: string): Promise<Migration> {
  const [, name] = /^(\d{14}_\w+)\.sql$/.exec(file) ?? []
  if (name === undefined)
    throw new Error(`prisma/migrations/${file} is not named <time>_<name>.sql.`)
  // A checkout on Windows may have written other line ends.
  const sql = (await readFile(path.join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
  return { name, sql, checksum: sha256(sql) }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
