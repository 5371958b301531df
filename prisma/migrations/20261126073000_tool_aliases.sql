-- What models call a tool of a server instead of its name.
ALTER TABLE "remote_tools" ADD COLUMN "alias" TEXT;

CREATE UNIQUE INDEX "remote_tools_alias_key" ON "remote_tools"("alias");
