import 'server-only'
import { z } from 'zod'
import type { Tx } from '@/lib/db'
import { ApprovalRule } from '@/lib/protocol/approval-rule'
import { TrustZone } from '@/lib/protocol/model-target'
import { Actor, DataClass, ToolNeed } from '@/lib/protocol/tool'
import { Freeze, freezeKey } from '@/lib/settings/read-freeze'
import { type SettingName, SiteSettings } from '@/lib/settings/site-settings'

const rows = <T extends z.ZodType>(row: T) =>
  z
    .array(row)
    .nullable()
    .transform((list) => list ?? [])

/** A skill that is attached and switched on, with its last accepted list; `heldBack` = its file changed or is gone. */
const SkillState = z.object({
  allowedTools: z.array(z.string()).nullable(),
  heldBack: z.boolean(),
})

const PolicyState = z.object({
  actor: Actor.nullable(),
  freeze: Freeze.nullable(),
  /** What the site has of the things that tools need. */
  present: z.array(ToolNeed).transform((names) => new Set(names)),
  groupsOff: rows(z.object({ toolGroup: z.string(), by: z.string(), reason: z.string() })),
  overrides: rows(
    z.object({
      toolName: z.string(),
      enabled: z.boolean(),
      reason: z.string(),
      changedBy: z.string(),
      changedAt: z.number(),
    }),
  ),
  configuration: z
    .object({
      allowedToolGroups: z.array(z.string()).nullable(),
      raisedDataClass: DataClass.nullable(),
      fourEyes: z.boolean(),
      skills: rows(SkillState),
    })
    .nullable(),
  /** What the task's skills say; null = the run has no task, or it is gone. */
  task: z.object({ skills: rows(SkillState) }).nullable(),
  connections: rows(z.object({ id: z.string(), trustZone: TrustZone })),
  approvalRules: rows(ApprovalRule),
  approvalLifetimeMs: SiteSettings.shape.approvalLifetimeMs.nullable(),
  approvers: rows(Actor),
})
export type PolicyState = z.infer<typeof PolicyState>

const lifetimeKey: SettingName = 'approvalLifetimeMs'

export type PolicyQuestion = {
  userId: string
  /** The run whose approvers are asked for; null = none. */
  runId: string | null
  configurationId: string | null
  taskId: string | null
  connectionIds: readonly string[]
}

/** Everything stored that the gates ask for, read in one statement. Throws when a part of it makes no sense. */
export async function readPolicyState(
  tx: Tx,
  { userId, runId, configurationId, taskId, connectionIds }: PolicyQuestion,
): Promise<PolicyState> {
  const [row] = await tx.$queryRaw<unknown[]>`
    SELECT
      (SELECT jsonb_build_object('userId', id, 'email', email, 'role', role) FROM users
        WHERE id = ${userId}::uuid AND "deletedAt" IS NULL AND "disabledAt" IS NULL) AS actor,
      (SELECT value FROM settings WHERE key = ${freezeKey}) AS freeze,
      (SELECT CASE WHEN EXISTS (SELECT 1 FROM storages) THEN '["storage"]'::jsonb ELSE '[]' END) AS present,
      (SELECT jsonb_agg(jsonb_build_object(
          'toolGroup', "toolGroup", 'by', "changedByLabel", 'reason', reason))
        FROM tool_groups_off) AS "groupsOff",
      (SELECT jsonb_agg(jsonb_build_object(
          'toolName', "toolName", 'enabled', enabled, 'reason', reason, 'changedBy', "changedByLabel",
          'changedAt', floor(extract(epoch FROM "changedAt") * 1000)))
        FROM tool_overrides) AS overrides,
      (SELECT jsonb_build_object(
          'allowedToolGroups', c."allowedToolGroups",
          'raisedDataClass', c."raisedDataClass",
          'fourEyes', c."fourEyes",
          'skills', (SELECT jsonb_agg(jsonb_build_object('allowedTools', v."allowedTools",
              'heldBack', s."orphanedAt" IS NOT NULL OR s."pendingVersion" IS NOT NULL))
            FROM configuration_skills cs
            JOIN skills s ON s.id = cs."skillId"
            JOIN skill_versions v ON v."skillId" = s.id AND v.version = s.version
            WHERE cs."configurationId" = c.id AND cs.enabled AND s.enabled))
        FROM configurations c WHERE c.id = ${configurationId}::uuid) AS configuration,
      (SELECT jsonb_build_object(
          'skills', (SELECT jsonb_agg(jsonb_build_object('allowedTools', v."allowedTools",
              'heldBack', s."orphanedAt" IS NOT NULL OR s."pendingVersion" IS NOT NULL))
            FROM task_skills ts
            JOIN skills s ON s.id = ts."skillId"
            JOIN skill_versions v ON v."skillId" = s.id AND v.version = s.version
            WHERE ts."taskId" = t.id AND ts.enabled AND s.enabled))
        FROM tasks t WHERE t.id = ${taskId}::uuid) AS task,
      (SELECT jsonb_agg(jsonb_build_object('id', id, 'trustZone', "trustZone"))
        FROM connections WHERE id = ANY(${connectionIds}::uuid[])) AS connections,
      (SELECT jsonb_agg(jsonb_build_object(
          'id', id, 'name', name, 'toolName', "toolName", 'toolGroup', "toolGroup",
          'configurationId', "configurationId", 'conditions', conditions) ORDER BY name)
        FROM approval_rules WHERE enabled) AS "approvalRules",
      (SELECT value FROM settings WHERE key = ${lifetimeKey}) AS "approvalLifetimeMs",
      (SELECT jsonb_agg(jsonb_build_object('userId', id, 'email', email, 'role', role)) FROM users
        WHERE "deletedAt" IS NULL AND "disabledAt" IS NULL AND id IN (
          SELECT "decidedBy" FROM approvals WHERE "runId" = ${runId}::uuid)) AS approvers`
  return PolicyState.parse(row)
}
