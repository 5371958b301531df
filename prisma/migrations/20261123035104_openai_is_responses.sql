-- The API type "openai" is Responses from now on. Connections to another address than OpenAI's own were made when it was
-- Chat Completions, which is what their servers speak: they keep it, under its other name. Both are in the audit.
WITH "known" AS (
  SELECT "id", "name", "baseUrl" IS NULL OR "baseUrl" ~* '^https?://api\.openai\.com(:[0-9]+)?(/|$)' AS "isOpenAi"
  FROM "connections"
  WHERE "wire" = 'openai'
), "kept" AS (
  UPDATE "connections"
  SET "wire" = 'openai-compatible', "updatedAt" = CURRENT_TIMESTAMP
  WHERE "id" IN (SELECT "id" FROM "known" WHERE NOT "isOpenAi")
)
INSERT INTO "audit_entries" ("id", "actorLabel", "action", "objectType", "objectId", "before", "after", "reason")
SELECT
  -- A UUID of version 7, as every id here.
  (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
    || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5("id"::text), 1, 15))::uuid,
  'Toolgate',
  'connection.update',
  'connection',
  "id"::text,
  CASE WHEN "isOpenAi"
    THEN jsonb_build_object('name', "name", 'api', 'Chat Completions')
    ELSE jsonb_build_object('name', "name", 'wire', 'openai') END,
  CASE WHEN "isOpenAi"
    THEN jsonb_build_object('name', "name", 'api', 'Responses')
    ELSE jsonb_build_object('name', "name", 'wire', 'openai-compatible') END,
  CASE WHEN "isOpenAi"
    THEN 'An update of Toolgate: the API type openai is Responses.'
    ELSE 'An update of Toolgate: the API type openai is Responses, and this connection keeps Chat Completions.' END
FROM "known";
