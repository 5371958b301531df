-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "costCapByAdmin" TEXT;

UPDATE "runs" SET "costCapByAdmin" = "costCapChoice"
  FROM "users" WHERE "users"."email" = "runs"."costCapChosenBy" AND "users"."role" = 'admin';

-- What follows the host in a webhook's address is often its credential.
UPDATE "audit_entries" SET
    "before" = CASE WHEN "before" ? 'url' THEN jsonb_set("before", '{url}',
      to_jsonb(regexp_replace("before"->>'url', '^([^:]+://[^/?#]+).*$', '\1/…'))) ELSE "before" END,
    "after" = CASE WHEN "after" ? 'url' THEN jsonb_set("after", '{url}',
      to_jsonb(regexp_replace("after"->>'url', '^([^:]+://[^/?#]+).*$', '\1/…'))) ELSE "after" END
  WHERE "objectType" = 'setting' AND "objectId" = 'alert-webhook';
