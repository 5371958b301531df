-- CreateTable
CREATE TABLE "check_judges" (
    "id" UUID NOT NULL,
    "resultId" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "runId" UUID,
    "reason" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "check_judges_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "check_judges_resultId_place_key" ON "check_judges"("resultId", "place");

-- CreateIndex
CREATE UNIQUE INDEX "check_judges_runId_key" ON "check_judges"("runId");

-- AddForeignKey
ALTER TABLE "check_judges" ADD CONSTRAINT "check_judges_resultId_fkey" FOREIGN KEY ("resultId") REFERENCES "check_results"("id") ON DELETE CASCADE ON UPDATE CASCADE;
