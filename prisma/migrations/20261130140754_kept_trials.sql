-- CreateTable
CREATE TABLE "kept_trials" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "change" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "replayed" INTEGER NOT NULL,
    "changed" INTEGER NOT NULL,
    "result" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kept_trials_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "kept_trials_createdAt_idx" ON "kept_trials"("createdAt");

-- CreateIndex
CREATE INDEX "kept_trials_userId_idx" ON "kept_trials"("userId");

-- AddForeignKey
ALTER TABLE "kept_trials" ADD CONSTRAINT "kept_trials_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
