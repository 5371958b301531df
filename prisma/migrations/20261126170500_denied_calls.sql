-- The first page lists the newest refused calls, and counts those of a week by their gates.
CREATE INDEX "call_records_denied" ON "call_records"("at" DESC) WHERE "outcome" = 'denied';
