-- CreateTable
CREATE TABLE "sites" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "sitemap" TEXT,
    "crawl" BOOLEAN NOT NULL DEFAULT true,
    "privateAddressAllowed" BOOLEAN NOT NULL DEFAULT false,
    "note" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "sites_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "site_groups" (
    "siteId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "site_groups_pkey" PRIMARY KEY ("siteId","groupId")
);

-- CreateTable
CREATE TABLE "site_checks" (
    "siteId" UUID NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "pages" INTEGER NOT NULL,
    "source" TEXT,
    "ms" INTEGER NOT NULL,
    "trouble" TEXT,

    CONSTRAINT "site_checks_pkey" PRIMARY KEY ("siteId")
);

-- CreateIndex
CREATE UNIQUE INDEX "sites_name_key" ON "sites"("name");

-- CreateIndex
CREATE INDEX "site_groups_groupId_idx" ON "site_groups"("groupId");

-- AddForeignKey
ALTER TABLE "site_groups" ADD CONSTRAINT "site_groups_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_groups" ADD CONSTRAINT "site_groups_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_checks" ADD CONSTRAINT "site_checks_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "sites"("id") ON DELETE CASCADE ON UPDATE CASCADE;
