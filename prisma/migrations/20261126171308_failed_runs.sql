-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "failed" BOOLEAN NOT NULL DEFAULT false;

-- The filter for failures reads one column of a row: which calls and ends are failures is asked when the row is written.
CREATE FUNCTION mark_failed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.failed := NEW."notStarted"
    OR coalesce(NEW."endReason" IN ('context', 'frozen', 'revoked', 'time-limit', 'provider-error', 'internal-error', 'invalid-output'), false)
    OR coalesce(NEW."callFacts" && ARRAY['outcome:failed', 'outcome:denied', 'outcome:timed-out'], false);
  RETURN NEW;
END
$$;
CREATE TRIGGER failed_marked BEFORE INSERT OR UPDATE OF "endReason", "notStarted", "callFacts" ON runs
  FOR EACH ROW EXECUTE FUNCTION mark_failed();
UPDATE runs SET "notStarted" = "notStarted"
WHERE "notStarted" OR "endReason" IS DISTINCT FROM 'completed' OR "callFacts" && ARRAY['outcome:failed', 'outcome:denied', 'outcome:timed-out'];

CREATE INDEX "runs_failed_idx" ON "runs"("createdAt" DESC) WHERE failed;
