-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "note" TEXT,
ADD COLUMN     "noteAt" TIMESTAMP(3),
ADD COLUMN     "noteBy" TEXT,
ADD COLUMN     "tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "run_views" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "query" JSONB NOT NULL,
    "columns" TEXT[],
    "shared" BOOLEAN NOT NULL DEFAULT false,
    "deletedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "run_views_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "list_columns" (
    "userId" UUID NOT NULL,
    "list" TEXT NOT NULL,
    "columns" TEXT[],

    CONSTRAINT "list_columns_pkey" PRIMARY KEY ("userId","list")
);

-- CreateIndex
CREATE INDEX "run_views_userId_idx" ON "run_views"("userId");

-- CreateIndex
CREATE INDEX "runs_tags_idx" ON "runs" USING GIN ("tags");

-- AddForeignKey
ALTER TABLE "run_views" ADD CONSTRAINT "run_views_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "list_columns" ADD CONSTRAINT "list_columns_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Two views of one person have different names, until one is deleted.
CREATE UNIQUE INDEX "run_views_name_key" ON "run_views"("userId", lower("name")) WHERE "deletedAt" IS NULL;
CREATE INDEX "run_views_shared_idx" ON "run_views"("name") WHERE "shared";

-- The tags that are suggested are those of the newest runs that have any.
CREATE INDEX "runs_tagged_idx" ON "runs"("createdAt" DESC) WHERE tags <> '{}';

ALTER TABLE "runs" ADD CONSTRAINT "runs_tags_count" CHECK (cardinality("tags") <= 10);
ALTER TABLE "runs" ADD CONSTRAINT "runs_note_characters" CHECK (char_length("note") <= 2000);
