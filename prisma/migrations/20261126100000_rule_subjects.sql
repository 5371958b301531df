-- A rule may be about the tools of an MCP server, a person, the members of a group, or an API key. What it names stays
-- while it does, so that no rule is about more than it was.
ALTER TABLE "approval_rules" ADD COLUMN "serverName" TEXT,
ADD COLUMN "userId" UUID,
ADD COLUMN "groupId" UUID,
ADD COLUMN "apiKeyId" UUID;

ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "groups"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
