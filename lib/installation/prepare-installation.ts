import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { readEnv } from '@/lib/kernel/env'
import { INSTALLATION_ROOT, keepFile, openDataFolder } from './data-folder'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres'
import { InstallationError } from './installation-error'
import { migrate } from './migrate'
import { holdsVault, openClient, requireDatabase } from './require-database'

const DATABASE = 'toolgate'
const ALREADY_THERE = new Set(['42P04', '23505'])

export type Installation = {
  /** Variables for this process and its children; already in `process.env`. */
  env: Record<string, string>
  /** The database is the built-in one, which needs a user to stay up. */
  ownsDatabase: boolean
  /** Ends the use of the built-in database, which stops when no other process uses it. */
  stop: () => Promise<void>
}

/** Runs one step of the preparation; lets the caller show and time it. */
export type Step = <T>(title: string, work: () => Promise<T>) => Promise<T>

/**
 * Prepares this installation for this process: opens it and migrates its database. Safe when several processes do it at
 * once. `guard` is called first, and throws if this database must not be changed.
 * Throws InstallationError with one sentence when a person has to act (SPEC O1, O2).
 */
export async function prepareInstallation(
  guard: (databaseUrl: string) => Promise<void>,
  step: Step = (_title, work) => work(),
): Promise<Installation> {
  const installation = await openInstallation(step)
  try {
    const databaseUrl = String(installation.env.DATABASE_URL)
    await guard(databaseUrl)
    await step('Apply migrations', () => migrate(databaseUrl))
    return installation
  } catch (error) {
    await installation.stop()
    throw error
  }
}

/**
 * Opens this installation without migrating its database: reads .env, creates the data folder and missing secrets, and
 * starts (or reuses) the built-in PostgreSQL unless DATABASE_URL is set.
 */
export async function openInstallation(
  step: Step = (_title, work) => work(),
): Promise<Installation> {
  loadEnvFiles()
  const folder = await openDataFolder()
  const database = process.env.DATABASE_URL
    ? null
    : await step('Start PostgreSQL', () => startEmbeddedPostgres(folder))
  try {
    const databaseUrl = database ? database.urlOf(DATABASE) : String(process.env.DATABASE_URL)
    if (database) await createDatabase(database)
    else await step('Check the database', () => requireDatabase(databaseUrl))
    const env = {
      ...(await recordedAddress(folder)),
      TOOLGATE_DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      ...(await vaultKey(path.join(folder, 'vault-key'), databaseUrl)),
      // A new one only ends sessions and the pages of lists that tools are reading.
      NEXTAUTH_SECRET: await secret('NEXTAUTH_SECRET', path.join(folder, 'session-secret')),
    }
    Object.assign(process.env, env)
    checkEnv()
    return { env, ownsDatabase: database !== null, stop: async () => database?.release() }
  } catch (error) {
    await database?.release()
    throw error
  }
}

/**
 * Records the address of the server that starts, so that commands typed in another terminal print links with its host and port.
 * TOOLGATE_URL must be set.
 */
export async function recordAddress(): Promise<void> {
  const { TOOLGATE_DATA_DIR = '', TOOLGATE_URL = '' } = process.env
  await writeFile(path.join(TOOLGATE_DATA_DIR, addressFile), `${TOOLGATE_URL}\n`, { mode: 0o600 })
}

const addressFile = 'address'

/** Returns the address that the last server of this installation recorded; empty where the environment sets one or none is recorded. */
async function recordedAddress(folder: string): Promise<{ TOOLGATE_URL?: string }> {
  if (process.env.TOOLGATE_URL || process.env.PORT) return {}
  const text = (await readFile(path.join(folder, addressFile), 'utf8').catch(() => '')).trim()
  return URL.canParse(text) ? { TOOLGATE_URL: text } : {}
}

/** Loads the .env files. Variables that are already set win over the files. */
function loadEnvFiles(): void {
  for (const name of ['.env.local', '.env']) {
    const file = path.join(INSTALLATION_ROOT, name)
    if (existsSync(file)) process.loadEnvFile(file)
  }
}

/** Returns 32 random bytes in base64, made once, unless the environment sets another text. */
async function secret(name: string, file: string): Promise<string> {
  return process.env[name] || (await keepFile(file, () => randomBytes(32).toString('base64')))
}

/**
 * Returns the key from the environment or from `file`, which is made where the database holds nothing that is sealed. In the
 * second case the file is also named, because a process finds a rotated key there. Throws InstallationError for a key that is
 * missing.
 */
async function vaultKey(file: string, databaseUrl: string): Promise<Record<string, string>> {
  const { TOOLGATE_VAULT_KEY: given, TOOLGATE_VAULT_KEY_FILE: inherited } = process.env
  if (given && !inherited) return { TOOLGATE_VAULT_KEY: given }
  if (!existsSync(file) && (await holdsVault(databaseUrl))) {
    throw new InstallationError(
      `The database has a vault, and its key is missing: put back ${file} from where you copied the folder, or set TOOLGATE_VAULT_KEY to it. Nothing was changed.`,
    )
  }
  const key = await keepFile(file, () => randomBytes(32).toString('base64'))
  return { TOOLGATE_VAULT_KEY: key, TOOLGATE_VAULT_KEY_FILE: file }
}

function checkEnv(): void {
  try {
    readEnv()
  } catch (cause) {
    throw new InstallationError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

async function createDatabase(server: EmbeddedPostgres): Promise<void> {
  const client = await openClient(server.urlOf('postgres'))
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  } catch (error) {
    // Another process has created it meanwhile.
    if (!(error instanceof pg.DatabaseError && ALREADY_THERE.has(error.code ?? ''))) throw error
  } finally {
    await client.end()
  }
}
