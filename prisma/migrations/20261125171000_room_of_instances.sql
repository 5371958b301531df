-- Runs that wait say whether a server has room.
ALTER TABLE "instances" ADD COLUMN "room" INTEGER NOT NULL DEFAULT 0;
