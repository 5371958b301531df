-- Models of which it was not known whether they call tools, and whose recorded answers have calls.
UPDATE "models" AS m SET
  "toolCalling" = 'confirmed', "toolCallingSource" = 'tested', "toolCallingTestedAt" = now() AT TIME ZONE 'UTC'
WHERE m."toolCalling" = 'unconfirmed' AND EXISTS (
  SELECT FROM "usage_records" u JOIN "run_events" e ON e."runId" = u."runId"
  WHERE u."modelRecordId" = m."id" AND u."errorCategory" IS NULL
    AND e."type" = 'message' AND (e."data" ->> 'round')::int = u."round"
    AND NOT e."data" ? 'inText' AND e."data" -> 'toolCalls' <> '[]'::jsonb);
