-- How much of an open request was shown survives its process.
ALTER TABLE "runs"
  ADD COLUMN "shownStart" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "shownTokens" INTEGER NOT NULL DEFAULT 0;
