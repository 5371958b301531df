-- The version of the policy rises with every change of what runs begin with and decisions are made from, whoever makes
-- it and by whatever statement. What engines remember counts only while the version is the one they remember.
CREATE FUNCTION raise_policy_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE policy_version SET version = version + 1;
  PERFORM pg_notify('toolgate_policy', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tool_overrides
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tool_groups_off
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON approval_rules
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON storages
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON group_members
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON configuration_groups
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON configuration_skills
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON task_skills
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON skill_versions
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER UPDATE OR DELETE OR TRUNCATE ON skills
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER UPDATE OR DELETE OR TRUNCATE ON tasks
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER UPDATE OF "email", "role", "disabledAt", "deletedAt" OR DELETE OR TRUNCATE
  ON users FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER UPDATE OR DELETE OR TRUNCATE ON configurations
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed
  AFTER UPDATE OF "name", "wire", "baseUrl", "organisation", "settings", "trustZone", "enabled", "secretId", "pooled",
    "headerNames", "headersSecretId", "privateAddressAllowed", "connectTimeoutMs", "firstByteTimeoutMs",
    "idleTimeoutMs", "maxTries" OR DELETE OR TRUNCATE
  ON connections FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON configuration_fallbacks
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON model_prices
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_changed AFTER UPDATE OR DELETE OR TRUNCATE ON models
  FOR EACH STATEMENT EXECUTE FUNCTION raise_policy_version();
-- Of the settings, only these decide anything.
CREATE TRIGGER policy_changed AFTER INSERT OR UPDATE ON settings
  FOR EACH ROW WHEN (NEW.key IN ('freeze', 'approvalLifetimeMs')) EXECUTE FUNCTION raise_policy_version();
CREATE TRIGGER policy_removed AFTER DELETE ON settings
  FOR EACH ROW WHEN (OLD.key IN ('freeze', 'approvalLifetimeMs')) EXECUTE FUNCTION raise_policy_version();
