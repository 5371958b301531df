-- The roles of queries log in to this database, too. They must not hold the locks of the console, wait without end, change
-- settings or speak to its processes. The functions belong to a superuser: without one, they stay as they are, queries of this
-- database are refused, and docs/data-sources.md has the statements for its admin.
DO $$
DECLARE called regprocedure;
BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    RETURN;
  END IF;
  FOR called IN
    SELECT p.oid FROM pg_proc p
    WHERE p.pronamespace = 'pg_catalog'::regnamespace
      AND p.proname ~ '^(pg_(try_)?advisory_|pg_sleep|set_config$|pg_notify$)'
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', called);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', called,
      (SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()));
  END LOOP;
END $$;
