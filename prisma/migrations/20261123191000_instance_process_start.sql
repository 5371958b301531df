-- A process id names a process only until it ends. With when that process began, it names one for good.
ALTER TABLE "instances" ADD COLUMN "processStart" TEXT NOT NULL DEFAULT '';
