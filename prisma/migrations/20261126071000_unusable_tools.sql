-- Tools of servers whose schemas cannot be checked wait for nobody.
ALTER TABLE "remote_tools" ADD COLUMN "unusable" BOOLEAN NOT NULL DEFAULT false;
