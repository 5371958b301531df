-- A row without failures says that the connection answered. Until now there was one only after a failure.
INSERT INTO "connection_health" ("connectionId")
SELECT c.id FROM "connections" c
WHERE c."lastTest"->>'outcome' = 'ok'
  OR EXISTS (SELECT 1 FROM "usage_records" u WHERE u."connectionId" = c.id AND u."errorCategory" IS NULL
    AND u."at" >= c."updatedAt")
ON CONFLICT ("connectionId") DO NOTHING;
