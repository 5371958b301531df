-- How often the access of an account was ended, by a reset or by disabling it. A run keeps the number that it began with,
-- and ends when that of its account is another one.
ALTER TABLE "users" ADD COLUMN "accessEpoch" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "runs" ADD COLUMN "accessEpoch" INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER policy_changed ON users;
CREATE TRIGGER policy_changed
  AFTER UPDATE OF "email", "role", "disabledAt", "deletedAt", "accessEpoch" OR DELETE OR TRUNCATE
  ON users FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
