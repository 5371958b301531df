-- Finds prompts by any part of them. Only runs that are rolled up are in the index, so a run that goes on writes nothing to
-- it. A role that may not add the extension does without the index: the search then reads the prompts.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "runs_prompt_idx" ON "runs" USING gin ("prompt" gin_trgm_ops) WHERE "rolledUp";
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not available: the search for prompts has no index';
END
$$;
