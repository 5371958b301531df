-- An alert at 80 percent is closed once the same window of its budget reached 100.
UPDATE "budget_alerts" a SET "seenAt" = b."at"
FROM "budget_alerts" b
WHERE b."budgetId" = a."budgetId" AND b."windowStart" = a."windowStart"
  AND b."percent" >= 100 AND a."percent" < 100 AND a."seenAt" IS NULL;
