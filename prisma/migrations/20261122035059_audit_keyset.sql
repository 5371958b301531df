-- DropIndex
DROP INDEX "audit_entries_actorLabel_at_idx";

-- DropIndex
DROP INDEX "audit_entries_at_idx";

-- CreateIndex
CREATE INDEX "audit_entries_at_id_idx" ON "audit_entries"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_actorId_at_idx" ON "audit_entries"("actorId", "at" DESC);
