import { z } from 'zod'
import { Host, Port } from '@/lib/shape/network-fields'

/**
 * Encryption of a connection to a database, in the words of a connection string. `require` does not check the
 * certificate.
 */
const SslMode = z.enum(['disable', 'require', 'verify-full'])
type SslMode = z.output<typeof SslMode>

/** Address of a PostgreSQL database, and the user of the connection. */
export type DatabaseAddress = {
  host: string
  port: number
  database: string
  user: string
  password: string
  sslMode: SslMode
}

const usualPort = 5_432

/** A connection string of a PostgreSQL database. */
export const ConnectionString = z
  .string()
  .trim()
  .max(2_000, 'A connection string has at most 2,000 characters.')
  .superRefine((text, ctx) => {
    const read = readConnectionString(text)
    if (typeof read === 'string') ctx.addIssue({ code: 'custom', message: read })
  })

const wrongForm =
  'Enter a connection string such as postgresql://reader:password@db.example.org:5432/shop.'
const wrongParameters =
  'Only the parameter sslmode is allowed, with disable, require or verify-full.'

/** Returns where a connection string leads, or what is wrong with it as a sentence that repeats nothing of it. */
export function readConnectionString(text: string): DatabaseAddress | string {
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) return wrongForm
  const url = new URL(text)
  const [host, port] = [
    Host.safeParse(url.hostname.replace(/^\[|\]$/g, '')),
    Port.safeParse(url.port === '' ? usualPort : Number(url.port)),
  ]
  const names = [url.pathname.slice(1), url.username, url.password].map(decoded)
  const [database = '', user = '', password = ''] = names
  if (!host.success || !port.success || url.hash !== '' || names.includes(null)) return wrongForm
  if (!database || !user) return 'Name the user and the database in the connection string.'
  if (/[\0/]/.test(`${database}${user}`)) return wrongForm
  const parameters = [...url.searchParams]
  const sslMode = SslMode.safeParse(url.searchParams.get('sslmode') ?? 'verify-full')
  if (!sslMode.success || parameters.some(([name]) => name !== 'sslmode')) return wrongParameters
  if (parameters.length > 1) return wrongParameters
  return {
    host: host.data,
    port: port.data,
    database,
    user,
    password: password ?? '',
    sslMode: sslMode.data,
  }
}

/** Returns a connection string without its password, for people. It is one that can be read again. */
export function shownConnectionString(address: DatabaseAddress): string {
  const { user, database, sslMode } = address
  const [name, path] = [user, database].map(encodeURIComponent)
  return `postgresql://${name}@${placeOf(address)}/${path}?sslmode=${sslMode}`
}

/** Returns host and port as they stand in an address. */
export function placeOf({ host, port }: Pick<DatabaseAddress, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
