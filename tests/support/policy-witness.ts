import { pool } from '@/lib/kernel/db'

/** Records of the database, in the order of its commits. `detail` is the run of a start, the audit row of a switch. */
export type Witnessed = { what: 'start' | 'on' | 'off' | 'audit'; detail: string }

/**
 * Makes the database itself write down when calls of one tool start and when its switch is thrown. Deferred triggers
 * run at commit, while a transaction still holds its locks: as long as starts and switches exclude one another, the
 * numbers they draw are the order of commits. Without that exclusion they are as near to it as can be had.
 */
export async function witnessTool(toolName: string): Promise<void> {
  await pool().query(`
    CREATE SEQUENCE witness_places;
    CREATE TABLE witness (place bigint PRIMARY KEY, what text NOT NULL, detail text NOT NULL);
    CREATE FUNCTION witness_start() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.type = 'call-start' AND NEW.data->>'name' = '${toolName}' THEN
          INSERT INTO witness VALUES (nextval('witness_places'), 'start', NEW."runId"::text);
        END IF;
        RETURN NULL;
      END $$;
    CREATE FUNCTION witness_switch() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW."toolName" = '${toolName}' THEN
          INSERT INTO witness VALUES
            (nextval('witness_places'), CASE WHEN NEW.enabled THEN 'on' ELSE 'off' END, '');
        END IF;
        RETURN NULL;
      END $$;
    CREATE FUNCTION witness_audit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW."objectType" = 'tool' AND NEW."objectId" = '${toolName}' THEN
          INSERT INTO witness VALUES (nextval('witness_places'), 'audit', NEW.id::text);
        END IF;
        RETURN NULL;
      END $$;
    CREATE CONSTRAINT TRIGGER witness_start AFTER INSERT ON run_events
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION witness_start();
    CREATE CONSTRAINT TRIGGER witness_switch AFTER INSERT OR UPDATE ON tool_overrides
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION witness_switch();
    CREATE CONSTRAINT TRIGGER witness_audit AFTER INSERT ON audit_entries
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION witness_audit();
  `)
}

export async function readWitness(): Promise<Witnessed[]> {
  const { rows } = await pool().query<Witnessed>('SELECT what, detail FROM witness ORDER BY place')
  return rows
}

export async function forgetWitness(): Promise<void> {
  await pool().query('DELETE FROM witness')
}

/** Returns the calls that started between a switch-off and the next switch-on. There must be none. */
export function forbiddenStarts(story: readonly Witnessed[]): Witnessed[] {
  let isOff = false
  return story.filter(({ what }) => {
    if (what === 'on' || what === 'off') isOff = what === 'off'
    return what === 'start' && isOff
  })
}

/**
 * `starts` = calls and requests of a run; `change` = the policy version was raised. `tool`: of a call. `at` is ms since
 * 1970.
 */
export type PolicyStory = {
  what: 'start' | 'change'
  runId: string | null
  tool: string | null
  at: number
}[]

/**
 * Makes the database write down when calls and model requests start and when the policy changes, as `witnessTool` does.
 * Begins anew where another file of tests did so before.
 */
export async function witnessPolicy(): Promise<void> {
  await pool().query(`
    DROP TABLE IF EXISTS policy_witness;
    DROP SEQUENCE IF EXISTS policy_places;
    DROP FUNCTION IF EXISTS witness_any_start, witness_change CASCADE;
    CREATE SEQUENCE policy_places;
    CREATE TABLE policy_witness (place bigint PRIMARY KEY, what text, run_id uuid, tool text, at timestamptz);
    CREATE FUNCTION witness_any_start() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.type IN ('call-start', 'round-start', 'request-start') THEN
          INSERT INTO policy_witness
            VALUES (nextval('policy_places'), 'start', NEW."runId", NEW.data->>'name', clock_timestamp());
        END IF;
        RETURN NULL;
      END $$;
    CREATE FUNCTION witness_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO policy_witness
          VALUES (nextval('policy_places'), 'change', NULL, NULL, clock_timestamp());
        RETURN NULL;
      END $$;
    CREATE CONSTRAINT TRIGGER witness_any_start AFTER INSERT ON run_events
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION witness_any_start();
    CREATE CONSTRAINT TRIGGER witness_change AFTER UPDATE ON policy_version
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION witness_change();
  `)
}

export async function readPolicyStory(): Promise<PolicyStory> {
  const { rows } = await pool().query<PolicyStory[number]>(`
    SELECT what, run_id::text AS "runId", tool, (extract(epoch FROM at) * 1000)::float8 AS at
    FROM policy_witness ORDER BY place`)
  return rows
}
