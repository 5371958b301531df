import type pg from 'pg'
import { policyTriggers } from '@/lib/kernel/deciding-tables'

/** Returns the triggers that raise the version of the policy and are switched on, by table and name. */
export async function readPolicyTriggers(
  client: Pick<pg.Client, 'query'>,
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ place: string; sql: string }>(
    `SELECT tgrelid::regclass::text || ' ' || tgname AS place, pg_get_triggerdef(t.oid, true) AS sql
     FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid
     WHERE p.proname = 'raise_policy_version' AND tgenabled IN ('O', 'A')`,
  )
  return new Map(rows.map(({ place, sql }) => [place, sql]))
}

/**
 * Gives every deciding table the trigger that raises the version of the policy, where it is missing, off or another one.
 * Without it, engines would decide from what they remember.
 */
export async function addPolicyTriggers(client: Pick<pg.Client, 'query'>): Promise<void> {
  const present = await readPolicyTriggers(client)
  for (const { table, name, sql } of policyTriggers()) {
    if (present.get(`${table} ${name}`) === sql) continue
    await client.query(
      `${sql.replace('CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER')}; ALTER TABLE ${table} ENABLE TRIGGER ${name}`,
    )
  }
}
