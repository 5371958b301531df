import { readFileSync } from 'node:fs'
import { pool } from '@/lib/kernel/db'
import { undecidedTables } from './undecided-tables'

/** A row that was added, changed or deleted. */
export type RowChange = { table: string; what: string; row: Record<string, unknown> }

/**
 * Requests for passkeys open nothing by themselves. What runs do is written at any moment; where a person does it, the audit has
 * a row.
 */
const besideDecisions = [
  'approvals',
  'check_judges',
  'check_results',
  'check_runs',
  'panels',
  'passkey_challenges',
]

/**
 * Notes every change of a table that holds decisions, and every row of the audit but those about refusals. What is noted beside
 * a decision, such as when a key was last used, is no change. `except`: the id of a row that the walk itself changes.
 */
export async function watchTables(except: string) {
  await pool().query(`
    DROP SCHEMA IF EXISTS doors CASCADE;
    CREATE SCHEMA doors;
    CREATE TABLE doors.changes (id bigserial, "table" text, what text, "row" jsonb);
    CREATE FUNCTION doors.note() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      beside text[] := ARRAY['lastUsedAt', 'lastSeenAt'];
      found jsonb := to_jsonb(coalesce(NEW, OLD));
    BEGIN
      IF found->>'refusalKey' IS NOT NULL OR found->>'id' = '${except}' THEN RETURN NULL; END IF;
      -- The next runs of a panel or a check, and those that a run starts.
      IF found->>'action' = 'run.start' AND EXISTS (
        SELECT FROM public.runs WHERE id::text = found->>'objectId'
          AND ("panelId" IS NOT NULL OR "parentRunId" IS NOT NULL OR source = 'check')) THEN RETURN NULL; END IF;
      IF TG_OP = 'UPDATE' THEN
        IF to_jsonb(OLD) - beside = found - beside THEN RETURN NULL; END IF;
        found := found || jsonb_build_object('before', to_jsonb(OLD));
      END IF;
      INSERT INTO doors.changes ("table", what, "row") VALUES (TG_TABLE_NAME, TG_OP, found);
      RETURN NULL;
    END $$;`)
  // Other files of this process may have left tables of their own.
  const schema = readFileSync('prisma/schema.prisma', 'utf8')
  const { rows: tables } = await pool().query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename = ANY($1)",
    [[...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, name]) => name)],
  )
  const watched = tables
    .map(({ name }) => name)
    .filter((name) => !undecidedTables.has(name) && !besideDecisions.includes(name))
  if (watched.length < 50) throw new Error(`Only ${watched.length} tables are watched.`)
  for (const name of watched)
    await pool().query(
      `CREATE TRIGGER doors AFTER INSERT OR UPDATE OR DELETE ON public."${name}" FOR EACH ROW EXECUTE FUNCTION doors.note()`,
    )
  return {
    /** Returns what changed since the last time. */
    take: async (): Promise<RowChange[]> =>
      (await pool().query('DELETE FROM doors.changes RETURNING "table", what, "row"')).rows,
    close: () => pool().query('DROP SCHEMA doors CASCADE'),
  }
}
export type WatchedTables = Awaited<ReturnType<typeof watchTables>>
