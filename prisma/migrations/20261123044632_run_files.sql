CREATE TABLE "file_contents" (
    "sha256" TEXT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "file_contents_pkey" PRIMARY KEY ("sha256")
);

CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "sha256" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "mostTokens" INTEGER,
    "dataClass" TEXT,
    "usedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "run_files" (
    "runId" UUID NOT NULL,
    "fileId" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "run_files_pkey" PRIMARY KEY ("runId", "fileId")
);

CREATE INDEX "files_userId_idx" ON "files"("userId");
CREATE INDEX "files_sha256_idx" ON "files"("sha256");
CREATE INDEX "run_files_fileId_idx" ON "run_files"("fileId");

ALTER TABLE "files" ADD CONSTRAINT "files_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "files" ADD CONSTRAINT "files_sha256_fkey" FOREIGN KEY ("sha256") REFERENCES "file_contents"("sha256") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "run_files" ADD CONSTRAINT "run_files_runId_fkey" FOREIGN KEY ("runId") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "run_files" ADD CONSTRAINT "run_files_fileId_fkey" FOREIGN KEY ("fileId") REFERENCES "files"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
