-- AlterTable
ALTER TABLE "data_source_tables" ADD COLUMN     "historyAt" TEXT,
ADD COLUMN     "historyKey" TEXT,
ADD COLUMN     "historyKind" TEXT,
ADD COLUMN     "historyTable" TEXT,
ADD COLUMN     "historyWho" TEXT;
