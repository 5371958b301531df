-- CreateTable
CREATE TABLE "memory_notes" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "configurationId" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "textHash" TEXT NOT NULL,
    "runId" UUID,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memory_notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memory_sizes" (
    "userId" UUID NOT NULL,
    "configurationId" UUID NOT NULL,
    "notes" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,

    CONSTRAINT "memory_sizes_pkey" PRIMARY KEY ("userId","configurationId")
);

-- CreateIndex
CREATE INDEX "memory_notes_configurationId_idx" ON "memory_notes"("configurationId");

-- CreateIndex
CREATE INDEX "memory_notes_runId_idx" ON "memory_notes"("runId");

-- CreateIndex
CREATE UNIQUE INDEX "memory_notes_userId_configurationId_textHash_key" ON "memory_notes"("userId", "configurationId", "textHash");

-- CreateIndex
CREATE INDEX "memory_sizes_configurationId_idx" ON "memory_sizes"("configurationId");

-- AddForeignKey
ALTER TABLE "memory_notes" ADD CONSTRAINT "memory_notes_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memory_notes" ADD CONSTRAINT "memory_notes_configurationId_fkey" FOREIGN KEY ("configurationId") REFERENCES "configurations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memory_notes" ADD CONSTRAINT "memory_notes_runId_fkey" FOREIGN KEY ("runId") REFERENCES "runs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memory_sizes" ADD CONSTRAINT "memory_sizes_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memory_sizes" ADD CONSTRAINT "memory_sizes_configurationId_fkey" FOREIGN KEY ("configurationId") REFERENCES "configurations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The limits of one person's memory with one configuration. A statement that passes them fails as a whole, whichever process sends it.
ALTER TABLE "memory_notes" ADD CONSTRAINT "memory_notes_characters" CHECK (char_length("text") BETWEEN 1 AND 4000);
ALTER TABLE "memory_sizes" ADD CONSTRAINT "memory_sizes_notes" CHECK ("notes" BETWEEN 0 AND 200);
ALTER TABLE "memory_sizes" ADD CONSTRAINT "memory_sizes_bytes" CHECK ("bytes" BETWEEN 0 AND 262144);

CREATE FUNCTION count_memory() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO memory_sizes AS size ("userId", "configurationId", notes, bytes)
    VALUES (NEW."userId", NEW."configurationId", 1, octet_length(NEW.text))
    ON CONFLICT ("userId", "configurationId") DO UPDATE
    SET notes = size.notes + 1, bytes = size.bytes + EXCLUDED.bytes;
  ELSIF TG_OP = 'UPDATE' THEN
    UPDATE memory_sizes SET bytes = bytes + octet_length(NEW.text) - octet_length(OLD.text)
    WHERE "userId" = NEW."userId" AND "configurationId" = NEW."configurationId";
  ELSE
    UPDATE memory_sizes SET notes = notes - 1, bytes = bytes - octet_length(OLD.text)
    WHERE "userId" = OLD."userId" AND "configurationId" = OLD."configurationId";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER memory_counted AFTER INSERT OR DELETE OR UPDATE OF "text" ON "memory_notes"
FOR EACH ROW EXECUTE FUNCTION count_memory();
