-- Every parameter of a configuration stands in one column.
ALTER TABLE "configurations" RENAME COLUMN "options" TO "parameters";

UPDATE "configurations" SET "parameters" = "parameters" || jsonb_build_object(
  'temperature', "temperature",
  'topP', "topP",
  'maxOutputTokens', "maxOutputTokens",
  'stop', to_jsonb(coalesce("stop", '{}')),
  'seed', "seed",
  'reasoningEffort', "reasoningEffort"
);

-- AlterTable
ALTER TABLE "configurations" DROP COLUMN "maxOutputTokens",
DROP COLUMN "reasoningEffort",
DROP COLUMN "seed",
DROP COLUMN "stop",
DROP COLUMN "temperature",
DROP COLUMN "topP";
