-- Answers as their providers wrote them, which go back byte for byte: text, and apart from the journal that pages read.
CREATE TABLE "native_answers" (
    "runId" UUID NOT NULL,
    "round" INTEGER NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "native_answers_pkey" PRIMARY KEY ("runId","round")
);

ALTER TABLE "native_answers" ADD CONSTRAINT "native_answers_runId_fkey" FOREIGN KEY ("runId") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
