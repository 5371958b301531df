-- Runs from before take what their configuration says now, and where it is gone, somebody else has to decide.
UPDATE "run_events" e SET "data" = jsonb_set(
    e."data", '{snapshot,fourEyes}', to_jsonb(COALESCE(c."fourEyes", true)))
  FROM "runs" r LEFT JOIN "configurations" c ON c."id" = r."configurationId"
  WHERE r."id" = e."runId" AND e."type" = 'run-start';
