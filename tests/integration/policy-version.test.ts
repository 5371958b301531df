import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { addPolicyTriggers, readPolicyTriggers } from '@/lib/installation/policy-triggers'
import { db, pool } from '@/lib/kernel/db'
import { type DecidingTable, decidingTables, policyTriggers } from '@/lib/kernel/deciding-tables'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { openVersioned, readPolicyVersion } from '@/lib/runs/start/versioned'
import { policyQuery } from '@/lib/toolset/policy/read-policy-state'

const version = async () =>
  Number((await pool().query('SELECT version FROM policy_version')).rows[0].version)

const nobody = '00000000-0000-0000-0000-000000000000'

const listed = Object.entries<DecidingTable>(decidingTables)

async function rises(statement: string): Promise<boolean> {
  const before = await version()
  await pool().query(statement)
  return (await version()) > before
}

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1',
    [table],
  )
  return rows.map(({ name }) => name)
}

// Statements raise it that change no row, too.
test.each(listed.filter(([, { keys }]) => !keys))(
  'the version of the policy rises with changes of %s',
  async (table, { columns, newRowsDecideNothing = false }) => {
    const added = `INSERT INTO ${table} SELECT * FROM ${table} WHERE false`
    expect(await rises(added)).toBe(!newRowsDecideNothing)
    expect(await rises(`DELETE FROM ${table} WHERE false`)).toBe(true)
    for (const column of columns ?? (await columnsOf(table))) {
      const changed = `UPDATE ${table} SET "${column}" = "${column}" WHERE false`
      expect(await rises(changed), changed).toBe(true)
    }
  },
)

test.each([
  `UPDATE users SET role = 'member' WHERE id = '${nobody}'`,
  `INSERT INTO settings (key, value, "updatedAt") VALUES ('freeze', '{}', now())`,
  `UPDATE settings SET value = 'null' WHERE key = 'freeze'`,
  `DELETE FROM settings WHERE key = 'freeze'`,
])('it rises with %s', async (statement) => {
  expect(await rises(statement)).toBe(true)
})

/** Bookkeeping that happens all the time. */
test.each([
  `UPDATE users SET "lastSignInAt" = now()`,
  `UPDATE connections SET "lastTest" = NULL`,
  // A replaced secret is stored with its connection; sealing it again with another key changes nothing.
  `UPDATE vault_secrets SET "keyVersion" = 2`,
  `INSERT INTO settings (key, value, "updatedAt") VALUES ('seen', '{}', now())`,
])('it stays with %s', async (statement) => {
  expect(await rises(statement)).toBe(false)
})

test.each([
  ['a verb', () => changePolicy(async () => undefined)],
  ['a statement', () => pool().query('DELETE FROM tool_limits')],
])(
  'what was read at a version is read again when the database went back and %s changed it anew',
  async (_what, change) => {
    const remembered = openVersioned<string>()
    const read = async (value: string) => {
      const held = async () => ({ value, until: Number.POSITIVE_INFINITY })
      return remembered('key', await readPolicyVersion(db()), held, db())
    }
    const { rows } = await pool().query('SELECT version FROM policy_version')
    await change()
    expect(await read('before')).toBe('before')
    expect(await read('not read')).toBe('before')
    await pool().query('UPDATE policy_version SET version = $1', [rows[0].version])
    await change()
    expect(await read('after')).toBe('after')
  },
)

/** Runs `work` in a transaction that is undone. */
async function undone<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect()
  try {
    await client.query('BEGIN')
    return await work(client)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

const expectedTriggers = () =>
  new Map(policyTriggers().map(({ table, name, sql }) => [`${table} ${name}`, sql]))

test('the database has the triggers of the list and no others, and gets those that are missing', async () => {
  await undone(async (client) => {
    expect(await readPolicyTriggers(client)).toEqual(expectedTriggers())
    await client.query('DROP TRIGGER policy_changed ON tool_overrides')
    await client.query('ALTER TABLE approval_rules DISABLE TRIGGER policy_changed')
    await client.query('DROP TRIGGER policy_changed ON users')
    await client.query(
      `CREATE TRIGGER policy_changed AFTER UPDATE OF email ON users
       FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version()`,
    )
    await addPolicyTriggers(client)
    expect(await readPolicyTriggers(client)).toEqual(expectedTriggers())
  })
})

/** The statement also reads the version itself, and the decisions about one run, which are not remembered. */
const remembered = (table: string) => !['policy_version', 'approvals'].includes(table)

/** Returns the columns that the statement of the gates reads, as PostgreSQL understands it. */
async function columnsRead(text: string, values: readonly unknown[]): Promise<[string, string][]> {
  return undone(async (client) => {
    const literals = values.map((value) => client.escapeLiteral(String(value)))
    const plain = text.replaceAll(/\$(\d+)/g, (_, at) => literals[Number(at) - 1] ?? '')
    await client.query(`CREATE TEMP VIEW gates_read AS ${plain}`)
    const { rows } = await client.query<{ table_name: string; column_name: string }>(
      `SELECT table_name, column_name FROM information_schema.view_column_usage
       WHERE view_name = 'gates_read' ORDER BY 1, 2`,
    )
    return rows.map((row) => [row.table_name, row.column_name])
  })
}

/** Returns what of it no trigger watches. */
function unwatched(read: [string, string][]): string[] {
  const byName = new Map<string, Pick<DecidingTable, 'columns'>>(listed)
  return read.flatMap(([table, column]) => {
    const { columns } = byName.get(table) ?? { columns: [] }
    const isWatched = !columns || columns.includes(column) || (byName.has(table) && column === 'id')
    return isWatched || !remembered(table) ? [] : [`${table}.${column}`]
  })
}

test('gates read only what raises the version of the policy', async () => {
  const { text, values } = policyQuery([])
  const read = await columnsRead(text, values)
  expect(read).toContainEqual(['tool_overrides', 'enabled'])
  const advice =
    'Add the table to lib/kernel/deciding-tables.ts: engines would remember its old rows.'
  expect(unwatched(read), advice).toEqual([])
})

test('a gate that reads another table, or another column, is found', async () => {
  const passkeys = await columnsRead('SELECT count(*) FROM passkeys WHERE "userId" = $1', [nobody])
  expect(unwatched(passkeys)).toEqual(['passkeys.userId'])
  expect(unwatched(await columnsRead('SELECT id, "lastSignInAt" FROM users', []))).toEqual([
    'users.lastSignInAt',
  ])
})
