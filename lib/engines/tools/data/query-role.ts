import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { quoted } from './columns'
import type { Ask } from './transactions'

/** Returns the role as which queries of a data source run. The end of an id is random, its beginning is the time. */
export function queryRoleOf(sourceId: string): string {
  return `toolgate_query_${sourceId.slice(-8)}`
}

/** A table with the columns that queries may read. */
export type QueryTable = { schema: string; name: string; columns: readonly string[] }

/** Why the role cannot be made, in words for admins. */
export class QueryRoleError extends Error {}

/** Returns why the user of a data source cannot make the role of its queries; null = it can. */
export async function roleProblem(ask: Ask, role: string): Promise<string | null> {
  const [[mayCreate, isThere] = []] = await ask(
    `SELECT (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user),
      EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`,
    [role],
  )
  if (isThere === true) {
    return `The database has a role ${role} already, which Toolgate did not make for this data source. Drop it there first.`
  }
  return mayCreate === true
    ? null
    : 'The user of the data source may not create roles. It needs CREATEROLE, and the right to give SELECT on the opened tables.'
}

/** Makes the role as which queries run. Its password reaches the database only as a verifier. */
export async function createQueryRole(
  ask: Ask,
  { role, password }: { role: string; password: string },
): Promise<void> {
  const problem = await roleProblem(ask, role)
  if (problem !== null) throw new QueryRoleError(problem)
  await ask(
    `CREATE ROLE ${quoted(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 4 PASSWORD '${verifierOf(password)}'`,
  )
  const [[isSuper] = []] = await ask(`SELECT rolsuper FROM pg_roles WHERE rolname = current_user`)
  if (isSuper === true) await ask(`ALTER ROLE ${quoted(role)} SET temp_file_limit = '64MB'`)
}

/** Returns what a server keeps of a password (RFC 5803), from which it cannot be found. */
function verifierOf(password: string): string {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const sign = (words: string) => createHmac('sha256', salted).update(words).digest()
  const stored = createHash('sha256').update(sign('Client Key')).digest('base64')
  const server = sign('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`
}

/** Lets the role read these columns, and nothing else that was given to it before. */
export async function grantTables(
  ask: Ask,
  role: string,
  tables: readonly QueryTable[],
): Promise<void> {
  const name = quoted(role)
  await revokeAll(ask, role)
  const [[database, mayConnect] = []] = await ask(
    `SELECT current_database()::text, has_database_privilege($1::name, current_database()::text, 'CONNECT')`,
    [role],
  )
  if (mayConnect !== true) {
    await ask(`GRANT CONNECT ON DATABASE ${quoted(String(database))} TO ${name}`)
  }
  for (const schema of new Set(tables.map((table) => table.schema))) {
    await ask(`GRANT USAGE ON SCHEMA ${quoted(schema)} TO ${name}`)
  }
  for (const { schema, name: table, columns } of tables) {
    const list = columns.map(quoted).join(', ')
    await ask(`GRANT SELECT (${list}) ON ${quoted(schema)}.${quoted(table)} TO ${name}`)
  }
}

/** Takes the role away with all that was given to it. */
export async function dropQueryRole(ask: Ask, role: string): Promise<void> {
  const rows = await ask('SELECT FROM pg_roles WHERE rolname = $1', [role])
  if (rows.length === 0) return
  await revokeAll(ask, role)
  await ask(`DROP ROLE ${quoted(role)}`)
}

const given = `
  SELECT 'TABLE', n.nspname::text, c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE EXISTS (SELECT FROM aclexplode(c.relacl) a WHERE a.grantee = $1::oid)
      OR EXISTS (SELECT FROM pg_attribute t, aclexplode(t.attacl) a WHERE t.attrelid = c.oid AND a.grantee = $1::oid)
  UNION ALL
  SELECT 'SCHEMA', n.nspname::text, NULL FROM pg_namespace n
    WHERE EXISTS (SELECT FROM aclexplode(n.nspacl) a WHERE a.grantee = $1::oid)
  UNION ALL
  SELECT 'DATABASE', d.datname::text, NULL FROM pg_database d
    WHERE d.datname = current_database() AND EXISTS (SELECT FROM aclexplode(d.datacl) a WHERE a.grantee = $1::oid)`

async function revokeAll(ask: Ask, role: string): Promise<void> {
  const [[oid] = []] = await ask('SELECT oid::text FROM pg_roles WHERE rolname = $1', [role])
  if (oid === undefined) throw new QueryRoleError(`The database has no role ${role} any more.`)
  for (const [kind, ...path] of await ask(given, [oid])) {
    const object = path.flatMap((part) => (part === null ? [] : quoted(String(part)))).join('.')
    await ask(`REVOKE ALL ON ${String(kind)} ${object} FROM ${quoted(role)}`)
  }
}

/**
 * Powers of a session that queries must not have: columns that are not opened, and a function that does more than its
 * caller may.
 */
export type RolePowers = { unsafe: string | null; columns: string[] }

const system = `('pg_catalog', 'information_schema')`
/** Functions of these extensions reach other databases, files or the network. */
const reaching = `('dblink', 'postgres_fdw', 'file_fdw', 'adminpack', 'lo', 'xml2', 'http', 'pg_net', 'pg_cron', 'plpython3u', 'plperlu', 'pltclu', 'aws_s3', 'aws_lambda', 'mysql_fdw', 'oracle_fdw', 'tds_fdw', 'pageinspect', 'pg_background')`

const powers = `
  SELECT
    session_user = $1 AND current_user = $1
      AND NOT (SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls FROM pg_roles WHERE rolname = session_user),
    EXISTS (SELECT FROM pg_roles r WHERE r.rolname <> session_user AND pg_has_role(r.oid, 'MEMBER')),
    EXISTS (SELECT FROM pg_largeobject_metadata m LEFT JOIN LATERAL aclexplode(m.lomacl) a ON true
      WHERE m.lomowner = (SELECT oid FROM pg_roles WHERE rolname = session_user)
        OR a.grantee IN (0, (SELECT oid FROM pg_roles WHERE rolname = session_user))) OR current_setting('lo_compat_privileges')::boolean,
    (SELECT n.nspname || '.' || p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
      LEFT JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
      LEFT JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
      WHERE n.nspname NOT IN ${system} AND has_function_privilege(p.oid, 'EXECUTE') AND has_schema_privilege(n.oid, 'USAGE')
        AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
        AND (p.prosecdef OR e.extname IN ${reaching} OR (NOT l.lanpltrusted AND l.lanname NOT IN ('internal', 'c')))
      LIMIT 1)`

/** Functions that hold or wait for the locks of the console, or speak to its processes. */
const disturbing = `
  SELECT p.proname::text FROM pg_proc p
  WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ '^(pg_(try_)?advisory_|pg_sleep|set_config$|pg_notify$)'
    AND has_function_privilege(p.oid, 'EXECUTE')
  LIMIT 1`

const readable = `
  SELECT n.nspname::text, c.relname::text, a.attname::text FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND NOT a.attisdropped AND n.nspname NOT IN ${system}
      AND has_column_privilege(c.oid, a.attnum, 'SELECT')
    LIMIT 20000`

/** Returns what the session of `ask` can do, which must be that of the role itself. `isOwn`: in the console's own database. */
export async function readPowers(
  ask: Ask,
  { role, isOwn }: { role: string; isOwn: boolean },
): Promise<RolePowers> {
  const [[isPlain, isMember, hasObjects, does] = []] = await ask(powers, [role])
  const [[disturbs] = []] = isOwn ? await ask(disturbing) : []
  const rows = await ask(readable)
  return {
    unsafe: unsafeWords({ isPlain, isMember, hasObjects, does: does ?? disturbs ?? null }),
    columns: rows.map(columnOf),
  }
}

function unsafeWords(found: Record<'isPlain' | 'isMember' | 'hasObjects' | 'does', unknown>) {
  const { isPlain, isMember, hasObjects, does } = found
  if (isPlain !== true) return 'its role has more rights than that of a query may have'
  if (isMember !== false) return 'its role is a member of another role'
  if (hasObjects !== false) return 'its role can read large objects'
  return does === null ? null : `its role may call the function ${String(does)}`
}

/** Returns the columns that a role should be able to read, in the form in which its powers name them. */
export function columnsOf(tables: readonly QueryTable[]): Set<string> {
  return new Set(
    tables.flatMap(({ schema, name, columns }) =>
      columns.map((column) => columnOf([schema, name, column])),
    ),
  )
}

function columnOf(path: readonly unknown[]): string {
  return path.map((part) => quoted(String(part))).join('.')
}
