import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MigrationList } from '@prisma/schema-engine-wasm'

const PRISMA_FOLDER = path.join(import.meta.dirname, '../../prisma')
export const MIGRATIONS_FOLDER = path.join(PRISMA_FOLDER, 'migrations')
export const LOCKFILE = 'migration_lock.toml'
export const LOCKFILE_TEXT = 'provider = "postgresql"\n'

/** The migration folders on disk, oldest first, in the shape the schema engine takes. */
export async function readMigrations(): Promise<MigrationList> {
  const entries = await readdir(MIGRATIONS_FOLDER, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return {
    baseDir: MIGRATIONS_FOLDER,
    lockfile: { path: LOCKFILE, content: LOCKFILE_TEXT },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(names.sort().map(readMigration)),
  }
}

export async function readSchema(): Promise<[path: string, text: string]> {
  const file = path.join(PRISMA_FOLDER, 'schema.prisma')
  return [file, await readFile(file, 'utf8')]
}

async function readMigration(name: string): Promise<MigrationList['migrationDirectories'][number]> {
  const value = await readFile(path.join(MIGRATIONS_FOLDER, name, 'migration.sql'), 'utf8')
  return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } } }
}
