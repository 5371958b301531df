-- CreateEnum
CREATE TYPE "DataSourceKind" AS ENUM ('console', 'postgresql');

-- CreateEnum
CREATE TYPE "RowOwner" AS ENUM ('email', 'userId');

-- CreateTable
CREATE TABLE "data_sources" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "DataSourceKind" NOT NULL,
    "addressSecretId" UUID,
    "shownAddress" TEXT,
    "privateAddressAllowed" BOOLEAN NOT NULL DEFAULT false,
    "note" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "data_sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "data_source_groups" (
    "dataSourceId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "data_source_groups_pkey" PRIMARY KEY ("dataSourceId","groupId")
);

-- CreateTable
CREATE TABLE "data_source_tables" (
    "id" UUID NOT NULL,
    "dataSourceId" UUID NOT NULL,
    "schema" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "columns" TEXT[],
    "key" TEXT[],
    "deletedColumn" TEXT,
    "ownerColumn" TEXT,
    "ownerHolds" "RowOwner",
    "groupsOnly" BOOLEAN NOT NULL DEFAULT false,
    "insertColumns" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "updateColumns" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "createdByLabel" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "data_source_tables_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "data_source_table_groups" (
    "tableId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "data_source_table_groups_pkey" PRIMARY KEY ("tableId","groupId")
);

-- CreateIndex
CREATE UNIQUE INDEX "data_sources_name_key" ON "data_sources"("name");

-- CreateIndex
CREATE UNIQUE INDEX "data_sources_addressSecretId_key" ON "data_sources"("addressSecretId");

-- CreateIndex
CREATE UNIQUE INDEX "data_sources_one_console" ON "data_sources"("kind") WHERE "kind" = 'console';

-- CreateIndex
CREATE INDEX "data_source_groups_groupId_idx" ON "data_source_groups"("groupId");

-- CreateIndex
CREATE UNIQUE INDEX "data_source_tables_dataSourceId_schema_name_key" ON "data_source_tables"("dataSourceId", "schema", "name");

-- CreateIndex
CREATE INDEX "data_source_table_groups_groupId_idx" ON "data_source_table_groups"("groupId");

-- AddForeignKey
ALTER TABLE "data_sources" ADD CONSTRAINT "data_sources_addressSecretId_fkey" FOREIGN KEY ("addressSecretId") REFERENCES "vault_secrets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_source_groups" ADD CONSTRAINT "data_source_groups_dataSourceId_fkey" FOREIGN KEY ("dataSourceId") REFERENCES "data_sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_source_groups" ADD CONSTRAINT "data_source_groups_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_source_tables" ADD CONSTRAINT "data_source_tables_dataSourceId_fkey" FOREIGN KEY ("dataSourceId") REFERENCES "data_sources"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_source_table_groups" ADD CONSTRAINT "data_source_table_groups_tableId_fkey" FOREIGN KEY ("tableId") REFERENCES "data_source_tables"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "data_source_table_groups" ADD CONSTRAINT "data_source_table_groups_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;
