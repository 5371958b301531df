import pg from 'pg'
import { InstallationError } from './installation-error'

const OLDEST_VERSION = 140_000

/** Throws InstallationError with one sentence when Toolgate cannot work with the database at `url`. */
export async function requireDatabase(url: string): Promise<void> {
  if (!URL.canParse(url)) {
    throw new InstallationError('DATABASE_URL must be a postgresql:// address.')
  }
  const client = await openClient(url, 'DATABASE_URL')
  try {
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    )
    const version = rows[0]?.version ?? 0
    if (version >= OLDEST_VERSION) return
    throw new InstallationError(
      `DATABASE_URL: Toolgate needs PostgreSQL 14 or newer, and this is ${Math.floor(version / 10_000)}.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Opens a connection, which the caller ends. Once it breaks, its next statement fails. Throws InstallationError with one sentence when
 * it cannot be opened within 8 s, which begins with `subject`.
 */
export async function openClient(url: string, subject = 'The database'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 8_000 })
  // Without a listener, a broken connection would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (cause) {
    await client.end().catch(() => undefined)
    throw new InstallationError(`${subject}: ${explain(cause, new URL(url))}`, { cause })
  }
}

/** Returns whether the database of a reachable server has been used with a key of the vault, in any state of its schema. */
export async function holdsVault(url: string): Promise<boolean> {
  const client = await openClient(url)
  try {
    const { rows } = await client.query("SELECT to_regclass('settings') IS NOT NULL AS there")
    if (!rows[0]?.there) return false
    const found = await client.query("SELECT 1 FROM settings WHERE key = 'vault-canary'")
    return found.rows.length > 0
  } finally {
    await client.end()
  }
}

/** Returns the sentence for an unreachable database. It never contains the password. */
function explain(error: unknown, url: URL): string {
  const server = `${url.hostname || 'localhost'}:${url.port || 5432}`
  const user = decodeURIComponent(url.username)
  const database = decodeURIComponent(url.pathname.slice(1)) || user
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `no PostgreSQL answers at ${server} (${code}).`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host ${url.hostname} is not known (${code}).`
    case '28P01':
    case '28000':
      return `${server} refuses the user "${user}" or its password.`
    case '3D000':
      return `there is no database "${database}" at ${server}; create it first.`
    default:
      return `${server} cannot be used (${message}).`
  }
}
