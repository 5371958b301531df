-- What may be used in a storage is said by its groups. Without one, only admins use it, also where all members could.
-- AlterTable
ALTER TABLE "storages"
    DROP COLUMN "adminOnly",
    ADD COLUMN "largestFile" INTEGER NOT NULL DEFAULT 20,
    ADD COLUMN "wholeSize" INTEGER NOT NULL DEFAULT 1024,
    ADD COLUMN "note" TEXT,
    ADD COLUMN "enabled" BOOLEAN NOT NULL DEFAULT true,
    ADD COLUMN "createdByLabel" TEXT NOT NULL DEFAULT 'system',
    ADD COLUMN "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "storages"
    ALTER COLUMN "createdByLabel" DROP DEFAULT,
    ALTER COLUMN "updatedAt" DROP DEFAULT;

-- CreateTable
CREATE TABLE "storage_groups" (
    "storageId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "storage_groups_pkey" PRIMARY KEY ("storageId","groupId")
);

-- AlterTable
ALTER TABLE "assets"
    ADD COLUMN "alternativeText" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "width" INTEGER,
    ADD COLUMN "height" INTEGER,
    ADD COLUMN "contentSha256" TEXT,
    ADD COLUMN "createdByLabel" TEXT NOT NULL DEFAULT '';

-- The checksum names no algorithm any more.
UPDATE "assets" SET "checksum" = substr("checksum", 8) WHERE "checksum" LIKE 'sha256:%';

-- A path stands once among what is not deleted.
DROP INDEX "assets_storageId_path_key";
CREATE UNIQUE INDEX "assets_path_key" ON "assets"("storageId", "path") WHERE "deletedAt" IS NULL;

-- CreateIndex
CREATE INDEX "storage_groups_groupId_idx" ON "storage_groups"("groupId");
CREATE INDEX "assets_storageId_path_idx" ON "assets"("storageId", "path");
CREATE INDEX "assets_contentSha256_idx" ON "assets"("contentSha256");
CREATE INDEX "assets_deletedAt_idx" ON "assets"("deletedAt");

-- AddForeignKey
ALTER TABLE "storage_groups" ADD CONSTRAINT "storage_groups_storageId_fkey" FOREIGN KEY ("storageId") REFERENCES "storages"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "storage_groups" ADD CONSTRAINT "storage_groups_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "assets" ADD CONSTRAINT "assets_contentSha256_fkey" FOREIGN KEY ("contentSha256") REFERENCES "file_contents"("sha256") ON DELETE RESTRICT ON UPDATE CASCADE;
