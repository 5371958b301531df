import 'server-only'
import { z } from 'zod'
import { MissingAccount, RemoteState } from '@/lib/domains/servers/shared/remote-state'
import { Freeze, freezeKey, unreadableFreeze } from '@/lib/domains/settings/read-freeze'
import { type SettingName, SiteSettings } from '@/lib/domains/settings/shape'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import type { DecidingSetting } from '@/lib/kernel/deciding-tables'
import { ApprovalRule } from '@/lib/protocol/approval'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { KeyLimits, LimitingGroup, noLimits, type RunKey } from '@/lib/protocol/key-limits'
import { TrustZone } from '@/lib/protocol/model/model-target'
import { Actor, DataClass, ToolNeed } from '@/lib/protocol/tool'
import { AllowedNames } from '@/lib/protocol/tool-access'
import { presentNeeds } from './tool-needs'

const rows = <T extends z.ZodType>(row: T) =>
  z
    .array(row)
    .nullable()
    .transform((list) => list ?? [])

/** A skill that is attached and switched on, with its last accepted list; `heldBack` = its file changed or is gone. */
const SkillState = z.object({
  name: z.string(),
  allowedTools: z.array(z.string()).nullable(),
  heldBack: z.boolean(),
})

/** Policy state that is the same for every run of this site. */
const SiteState = z.object({
  freeze: Freeze.pick({ by: true, reason: true }).nullable().catch(unreadableFreeze),
  /** Number of freezes so far, and the last one, which may have been lifted. */
  freezes: z.int(),
  lastFreeze: Freeze.pick({ by: true, reason: true }).nullable().catch(unreadableFreeze),
  /** Resources that tools need and the site has. */
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
  /** Approval settings of admins, by the name of the tool. */
  toolApprovals: z
    .record(z.string(), z.boolean())
    .nullable()
    .transform((byName) => new Map(Object.entries(byName ?? {}))),
  /** The tools of servers, by name. */
  remote: z
    .record(z.string(), RemoteState)
    .nullable()
    .transform((byName) => new Map(Object.entries(byName ?? {}))),
  limits: rows(
    z.object({
      toolName: z.string(),
      perMinute: z.int().nullable(),
      perRun: z.int().nullable(),
    }),
  ),
  approvalRules: rows(ApprovalRule),
  approvalLifetimeMs: SiteSettings.shape.approvalLifetimeMs.nullable(),
})

const Person = Actor.extend({ groups: z.array(z.string()), limitedBy: rows(LimitingGroup) })

/** Policy state of one person's run with one configuration. */
const RunPolicyState = z.object({
  /** Null = the account was disabled or deleted. */
  actor: Person.nullable(),
  /** Number of times that the access of the account was ended. */
  accessEpoch: z.int().nullable(),
  configuration: z
    .object({
      enabled: z.boolean(),
      /** A group of the person may use it; admins need none. */
      isOpenToGroup: z.boolean(),
      ...AllowedNames.shape,
      raisedDataClass: DataClass.nullable(),
      fourEyes: z.boolean(),
      afterUntrusted: AfterUntrusted,
      skills: rows(SkillState),
    })
    .nullable(),
  /** The API key that the run was started with; null = it was started without one. */
  apiKey: z
    .object({
      name: z.string(),
      limits: KeyLimits.nullable().transform((limits) => limits ?? noLimits),
    })
    .nullable(),
  /** Skills of the task; null: the run has no task, or it is gone. */
  task: z.object({ skills: rows(SkillState) }).nullable(),
  /** Servers that this person's calls need another account for, by name. */
  accounts: z
    .record(z.string(), MissingAccount)
    .nullable()
    .transform((byName) => new Map(Object.entries(byName ?? {}))),
  connections: rows(z.object({ id: z.string(), trustZone: TrustZone, enabled: z.boolean() })),
  models: rows(z.object({ id: z.string(), enabled: z.boolean() })),
  approvers: rows(Person),
})
export type PolicyState = z.infer<typeof SiteState> & z.infer<typeof RunPolicyState>

const Answer = SiteState.extend({ version: z.string(), runs: z.array(z.unknown()).nullable() })

/** One run's answer; `unreadable` = what is stored about it makes no sense. */
export type Reading<T> = { type: 'read'; value: T } | { type: 'unreadable'; error: unknown }

const lifetimeKey: SettingName & DecidingSetting = 'approvalLifetimeMs'
const freezeSetting: DecidingSetting = freezeKey

/** Limits of a deleted key: its runs may use nothing. */
const deletedKey: RunKey = {
  name: '(deleted)',
  limits: { tools: [], toolGroups: [], configurations: [] },
}

export type PolicyQuestion = {
  userId: string
  /** The run whose approvers are asked for; null = none. */
  runId: string | null
  apiKeyId: string | null
  configurationId: string | null
  taskId: string | null
  connectionIds: readonly string[]
  modelIds: readonly string[]
}

/** Reads `readPolicyStates` for one run. */
export async function readPolicyState(tx: Tx, input: PolicyQuestion): Promise<PolicyState> {
  const { readings } = await readPolicyStates(tx, [input])
  const [reading] = readings
  if (reading?.type === 'read') return reading.value
  throw reading?.error ?? new Error('The policy state has no answer for this run.')
}

/**
 * Reads everything stored that decisions are made from, for any number of runs in one statement: switches, rights and
 * rules as of one moment, and the version of the policy at that moment. Answers in the order of the questions. Throws when what is the same for all makes no sense.
 */
export async function readPolicyStates(
  tx: Tx,
  input: readonly PolicyQuestion[],
): Promise<{ version: string; readings: Reading<PolicyState>[] }> {
  const [row] = await tx.$queryRaw<unknown[]>(policyQuery(input))
  const { version, runs, ...site } = Answer.parse(row)
  const readings = (runs ?? []).map((run): Reading<PolicyState> => {
    const { success, data, error } = RunPolicyState.safeParse(run)
    if (!success) return { type: 'unreadable', error }
    return { type: 'read', value: { ...site, ...data } }
  })
  return { version, readings }
}

/** An account with the groups that it is in. */
const person = Prisma.sql`jsonb_build_object('userId', id, 'email', email, 'role', role, 'groups', (
  SELECT coalesce(jsonb_agg("groupId"), '[]') FROM group_members WHERE "userId" = users.id), 'limitedBy', (
  SELECT jsonb_agg(jsonb_build_object('name', g.name, 'limits', g.limits) ORDER BY g.name)
  FROM groups g JOIN group_members gm ON gm."groupId" = g.id
  WHERE gm."userId" = users.id AND g.limits IS NOT NULL))`

/** Returns the statement that reads it all. What it reads must be a deciding table, or the answers grow stale. */
export function policyQuery(input: readonly PolicyQuestion[]): Prisma.Sql {
  const questions = input.map((question, place) => ({ ...question, place }))
  return Prisma.sql`
    SELECT
      (SELECT version::text FROM policy_version) AS version,
      (SELECT value FROM settings WHERE key = ${freezeSetting}) AS freeze,
      (SELECT freezes FROM policy_version) AS freezes,
      (SELECT "lastFreeze" FROM policy_version) AS "lastFreeze",
      ${presentNeeds} AS present,
      (SELECT jsonb_agg(jsonb_build_object(
          'toolGroup', "toolGroup", 'by', "changedByLabel", 'reason', reason))
        FROM tool_groups_off) AS "groupsOff",
      (SELECT jsonb_agg(jsonb_build_object(
          'toolName', "toolName", 'enabled', enabled, 'reason', reason, 'changedBy', "changedByLabel",
          'changedAt', floor(extract(epoch FROM "changedAt") * 1000)))
        FROM tool_overrides) AS overrides,
      (SELECT jsonb_object_agg("toolName", asks) FROM tool_approvals) AS "toolApprovals",
      (SELECT jsonb_agg(jsonb_build_object('toolName', "toolName", 'perMinute', "perMinute", 'perRun', "perRun"))
        FROM tool_limits) AS limits,
      (SELECT jsonb_object_agg(t.name, jsonb_build_object(
          'pin', t.pin, 'isGone', t."goneAt" IS NOT NULL, 'isServerOn', s.enabled,
          'held', CASE WHEN t."acceptedHash" IS NULL THEN 'new' WHEN t."acceptedHash" = t."seenHash" THEN NULL
            WHEN t.unusable THEN 'unusable' ELSE 'changed' END))
        FROM remote_tools t JOIN servers s ON s.id = t."serverId") AS remote,
      (SELECT jsonb_agg(jsonb_build_object(
          'id', id, 'name', name, 'toolName', "toolName", 'toolGroup', "toolGroup", 'serverName', "serverName",
          'configurationId', "configurationId", 'userId', "userId", 'groupId', "groupId", 'apiKeyId', "apiKeyId",
          'action', action, 'fourEyes', "fourEyes", 'conditions', conditions) ORDER BY name)
        FROM approval_rules WHERE enabled) AS "approvalRules",
      (SELECT value FROM settings WHERE key = ${lifetimeKey}) AS "approvalLifetimeMs",
      (SELECT jsonb_agg(jsonb_build_object(
          'actor', (SELECT ${person} FROM users
            WHERE id = q."userId" AND "deletedAt" IS NULL AND "disabledAt" IS NULL),
          'accessEpoch', (SELECT "accessEpoch" FROM users WHERE id = q."userId"),
          'configuration', (SELECT jsonb_build_object(
              'enabled', c.enabled,
              'isOpenToGroup', EXISTS (SELECT 1 FROM configuration_groups cg
                JOIN group_members gm ON gm."groupId" = cg."groupId"
                WHERE cg."configurationId" = c.id AND gm."userId" = q."userId"),
              'allowedToolGroups', c."allowedToolGroups", 'allowedTools', c."allowedTools",
              'raisedDataClass', c."raisedDataClass",
              'fourEyes', c."fourEyes", 'afterUntrusted', c."afterUntrusted",
              'skills', (SELECT jsonb_agg(jsonb_build_object('name', s.name, 'allowedTools', v."allowedTools",
                  'heldBack', s."orphanedAt" IS NOT NULL OR s."pendingVersion" IS NOT NULL))
                FROM configuration_skills cs
                JOIN skills s ON s.id = cs."skillId"
                JOIN skill_versions v ON v."skillId" = s.id AND v.version = s.version
                WHERE cs."configurationId" = c.id AND cs.enabled AND s.enabled))
            FROM configurations c WHERE c.id = q."configurationId"),
          'apiKey', CASE WHEN q."apiKeyId" IS NOT NULL THEN coalesce(
            (SELECT jsonb_build_object('name', name, 'limits', limits) FROM api_keys WHERE id = q."apiKeyId"),
            ${JSON.stringify(deletedKey)}::jsonb) END,
          'task', (SELECT jsonb_build_object(
              'skills', (SELECT jsonb_agg(jsonb_build_object('name', s.name, 'allowedTools', v."allowedTools",
                  'heldBack', s."orphanedAt" IS NOT NULL OR s."pendingVersion" IS NOT NULL))
                FROM task_skills ts
                JOIN skills s ON s.id = ts."skillId"
                JOIN skill_versions v ON v."skillId" = s.id AND v.version = s.version
                WHERE ts."taskId" = t.id AND ts.enabled AND s.enabled))
            FROM tasks t WHERE t.id = q."taskId"),
          'accounts', (SELECT jsonb_object_agg(s.name, jsonb_build_object(
              'of', s.account, 'state', CASE WHEN a.id IS NULL THEN 'missing' ELSE 'refused' END))
            FROM servers s LEFT JOIN connected_accounts a ON a."serverId" = s.id
              AND a.owner = CASE s.account WHEN 'person' THEN q."userId"::text ELSE 'site' END
            WHERE s.account <> 'none' AND a.usable IS NOT TRUE),
          'connections', (SELECT jsonb_agg(jsonb_build_object(
              'id', id, 'trustZone', "trustZone", 'enabled', enabled))
            FROM connections WHERE id = ANY(q."connectionIds")),
          'models', (SELECT jsonb_agg(jsonb_build_object('id', id, 'enabled', enabled))
            FROM models WHERE id = ANY(q."modelIds")),
          'approvers', (SELECT jsonb_agg(${person})
            FROM users WHERE "deletedAt" IS NULL AND "disabledAt" IS NULL AND id IN (
              SELECT "decidedBy" FROM approvals WHERE "runId" = q."runId"))) ORDER BY q.place)
        FROM jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) AS q(place int, "userId" uuid,
          "runId" uuid, "apiKeyId" uuid, "configurationId" uuid, "taskId" uuid, "connectionIds" uuid[], "modelIds" uuid[])
      ) AS runs`
}
