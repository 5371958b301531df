-- What a rule does with a call that it matches: deny, ask, ask-once or observe.
ALTER TABLE "approval_rules" ADD COLUMN "action" TEXT NOT NULL DEFAULT 'ask';

-- An approval covers other calls of the tool in its run that match the rule.
ALTER TABLE "approvals" ADD COLUMN "once" BOOLEAN NOT NULL DEFAULT false;
