-- A database that went back to an earlier state never reaches the number of a version again that stood for another policy: engines
-- that still remember that one would decide from it.
CREATE OR REPLACE FUNCTION raise_policy_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE policy_version SET version = version + 1 + floor(random() * 2147483648)::bigint;
  PERFORM pg_notify('toolgate_policy', '');
  RETURN NULL;
END
$$;
