import { everyNoun } from '@/lib/protocol/nouns'

/**
 * Columns of the console's own database: of each table the columns that can be opened to tools, then the denied ones.
 * Denied are secrets, hashes, keys, tokens, sessions, recovery codes, contents of the vault and of files, and text of
 * people in prompts; no admin can open them. A column that is missing here is denied, too: a test fails for each one. The
 * table of a described noun that is missing is denied as a whole.
 */
const tables: Readonly<Record<string, readonly [allowed: string, denied?: string] | 'denied'>> = {
  users: [
    'id|email|name|role|disabledAt|suspendedFor|deletedAt|lastSignInAt|accessEpoch|createdAt|updatedAt',
    'passwordHash|oidcIssuer|oidcSubject',
  ],
  account_links: 'denied',
  sessions: 'denied',
  connected_accounts: 'denied',
  server_clients: 'denied',
  account_requests: 'denied',
  passkeys: 'denied',
  totp_apps: 'denied',
  recovery_codes: 'denied',
  pending_sign_ins: 'denied',
  passkey_challenges: 'denied',
  kept_trials: 'denied',
  checks: [
    'id|name|runId|configurationId|configurationName|taskId|suites|tries|passes|version|createdById|createdByLabel|createdAt|updatedAt',
    'description|hadTask|prompt|tools|maxRounds|overrides|outputSchema|costCap|recordings|leftOut|sources|assertions|starters|editors',
  ],
  check_groups: ['checkId|groupId'],
  check_files: ['checkId|fileId|position|dataClass'],
  check_runs: [
    'id|name|isSuite|userId|mode|configurationIds|stoppedBy|createdAt|endedAt',
    'apiKeyId|accessEpoch|freezes|idempotencyKey|idempotencyHash',
  ],
  check_judges: ['id|resultId|place|runId', 'reason'],
  check_results: [
    'id|checkRunId|place|checkId|checkVersion|checkName|configurationId|configurationName|configurationVersion|try|passes|runId|verdict|costMicroUsd|durationMs',
    'reason|assertions|judged',
  ],
  sign_in_failures: 'denied',
  groups: ['id|name|description|createdByLabel|createdAt|updatedAt', 'limits'],
  group_members: ['groupId|userId'],
  api_keys: [
    'id|userId|name|scopes|createdAt|expiresAt|lastUsedAt|revokedAt|pausedAt',
    'prefix|tokenHash|limits',
  ],
  vault_secrets: 'denied',
  connections: [
    'id|name|wire|organisation|trustZone|enabled|pooled|privateAddressAllowed|connectTimeoutMs|firstByteTimeoutMs|idleTimeoutMs|maxTries|createdAt|updatedAt',
    'baseUrl|settings|zoneConfirmation|secretId|headerNames|headersSecretId|lastTest',
  ],
  connection_keys: 'denied',
  connection_health: [
    'connectionId|failures|openUntil|probeAt|lastCategory|lastFailedAt',
    'lastAdvice',
  ],
  connection_failures: ['connectionId|category|scope|modelRecordId|runId|status|at', 'advice'],
  models: [
    'id|connectionId|modelId|displayName|contextTokens|maxOutputTokens|toolCalling|toolCallingSource|toolCallingTestedAt|structuredOutput|vision|reasoning|capabilitySources|reasoningEfforts|unsupportedParameters|enabled|createdAt|updatedAt',
  ],
  model_prices: [
    'id|modelRecordId|validFrom|input|output|cachedInput|cacheWrite|reasoning|longPrompt|source|createdByLabel|createdAt',
  ],
  configurations: [
    'id|identifier|name|description|modelId|toolMode|maxRounds|timeLimitMs|costCapMicroUsd|costCapMode|version|allowedToolGroups|allowedTools|allowedOverrides|raisedDataClass|fourEyes|afterUntrusted|memoryInPrompt|enabled|createdAt|updatedAt',
    'systemPrompt|parameters',
  ],
  configuration_versions: ['configurationId|version|createdByLabel|createdAt|note', 'data'],
  tasks: [
    'id|identifier|name|description|configurationId|costCapMicroUsd|costCapMode|enabled|version|createdById|authors|createdAt|updatedAt',
    'prompt|variables|outputSchema|panel',
  ],
  task_versions: ['taskId|version|authors|createdByLabel|createdAt|note', 'data'],
  task_skills: ['taskId|skillId|position|enabled'],
  task_members: ['taskId|configurationId'],
  configuration_fallbacks: ['configurationId|modelId|position'],
  configuration_groups: ['configurationId|groupId'],
  tool_overrides: ['toolName|enabled|reason|changedBy|changedByLabel|changedAt'],
  tool_approvals: ['toolName|asks|reason|changedBy|changedByLabel|changedAt'],
  tool_limits: ['toolName|perMinute|perRun|changedBy|changedByLabel|changedAt'],
  tool_starts: ['toolName|starts'],
  tool_groups_off: ['toolGroup|reason|changedBy|changedByLabel|changedAt'],
  skills: ['id|name|source|enabled|version|pendingVersion|orphanedAt|createdAt|updatedAt', 'path'],
  skill_versions: [
    'skillId|version|description|allowedTools|bytes|createdByLabel|createdAt',
    'frontMatter|body|checksum',
  ],
  configuration_skills: ['configurationId|skillId|position|enabled'],
  approval_rules: [
    'id|name|enabled|toolName|toolGroup|serverName|configurationId|userId|groupId|action|fourEyes|createdByLabel|createdAt|updatedAt',
    'apiKeyId|conditions',
  ],
  rule_counts: ['ruleId|calls|lastAt'],
  approvals: [
    'id|runId|callId|round|toolName|ruleId|ruleName|once|fourEyesRule|status|requestedAt|expiresAt|decidedAt|decidedBy|decidedByLabel',
    'argumentsText|argumentsHash|editedArguments|message',
  ],
  approval_notices: [
    'approvalId|channelId|kind|attempts|attemptedAt|nextAttemptAt|deliveredAt',
    'lastError',
  ],
  runs: [
    'id|userId|configurationId|taskId|status|source|waitsFor|priority|sitePlace|personPlace|configurationPlace|endReason|truncated|notStarted|rounds|calls|inputTokens|outputTokens|costMicroUsd|lastSeq|costCapChoice|costCapChosenBy|costCapByAdmin|createdAt|endedAt|durationMs|rolledUp|callsRolledUp|failed|tags|continues|conversationId|panelId|panelPlace|changedFrom|parentRunId|parentCallId',
    'apiKeyId|accessEpoch|freezes|request|prompt|idempotencyKey|idempotencyHash|instanceId|shownStart|shownTokens|cancelledBy|cancelReason|callFacts|note|noteBy|noteAt',
  ],
  run_views: ['id|userId|name|columns|shared|deletedAt|createdAt|updatedAt', 'query'],
  list_columns: ['userId|list|columns'],
  schedules: [
    'id|name|cron|timeZone|taskId|configurationId|userId|missed|enabled|createdById|authors|consentGiven|consentAt|createdByLabel|createdAt|updatedAt',
    'prompt|variables|consentHash|consentTools',
  ],
  scheduled_starts: ['scheduleId|at|runId|panelId', 'refusal'],
  file_contents: 'denied',
  files: ['id|userId|name|type|bytes|mostTokens|pages|dataClass|usedAt|createdAt', 'sha256'],
  run_files: ['runId|fileId|position'],
  run_events: 'denied',
  native_answers: 'denied',
  call_results: 'denied',
  usage_records: [
    'id|runId|round|userId|configurationId|connectionId|modelRecordId|modelId|inputTokens|outputTokens|cachedInputTokens|cacheWriteTokens|reasoningTokens|estimated|costMicroUsd|costAtMost|unpricedTier|reportedCostMicroUsd|latencyMs|retries|retried|fallback|errorCategory|at',
  ],
  usage_rollups: [
    'split|grain|start|userId|configurationId|connectionId|modelRecordId|modelId|requests|runs|inputTokens|outputTokens|cachedInputTokens|costMicroUsd|unpriced|atMost|reported|reportedMicroUsd|countedMicroUsd|estimated|retries|retried|errors|rescues|latencies|latencyCounts',
    'apiKeyId',
  ],
  usage_spans: [
    'split|start|runId|userId|configurationId|connectionId|modelRecordId|modelId',
    'apiKeyId',
  ],
  call_records: ['runId|callId|toolName|userId|configurationId|outcome|gate|durationMs|at'],
  call_rollups: [
    'split|grain|toolName|start|userId|configurationId|calls|runs|ok|failed|denied|invalid|latencies|latencyCounts',
    'apiKeyId',
  ],
  call_spans: ['split|start|runId|toolName|userId|configurationId', 'apiKeyId'],
  conversations: ['id|userId|archivedAt|deletedAt|createdAt|lastAt', 'title'],
  panels: [
    'id|userId|source|hasTurns|costCapChoice|costCapChosenBy|costCapByAdmin|chosenRunId|chosenBy|chosenAt|createdAt',
    'prompt|start|idempotencyKey|idempotencyHash|refusals|apiKeyId|accessEpoch|freezes|stoppedBy|chosenNote',
  ],
  memory_notes: 'denied',
  memory_sizes: ['userId|configurationId|notes|bytes'],
  budgets: [
    'id|scope|scopeId|window|unit|amount|unpriced|enabled|createdByLabel|createdAt|updatedAt',
  ],
  budget_counters: ['budgetId|windowStart|reserved|spent'],
  budget_reservations: [
    'id|callId|budgetId|windowStart|runId|reserved|settled|status|createdAt|settledAt',
    'instanceId',
  ],
  budget_alerts: ['id|budgetId|windowStart|percent|at|seenBy|seenAt', 'facts'],
  alert_deliveries: [
    'alertId|channelId|attempts|attemptedAt|nextAttemptAt|deliveredAt',
    'lastError',
  ],
  channels: [
    'id|name|kind|enabled|budgetAlerts|approvalAlerts|runMessages|privateAddressAllowed|createdByLabel|createdAt|updatedAt',
    'addressSecretId|shownAddress|secretId|host|port|security|user|sender|recipients',
  ],
  run_messages: [
    'runId|callId|channelId|sentByLabel|at|attempts|attemptedAt|deliveredAt|isUncertain',
    'lastError',
  ],
  channel_groups: ['channelId|groupId'],
  audit_notices: ['alertId|channelId|attempts|attemptedAt|nextAttemptAt|deliveredAt', 'lastError'],
  workspaces: [
    'id|name|writable|note|enabled|createdByLabel|createdAt|updatedAt',
    'folder|realFolder',
  ],
  workspace_groups: ['workspaceId|groupId'],
  file_versions: [
    'id|workspaceId|path|encoding|beforeBytes|runId|callId|userId|userLabel|createdAt|undoneAt|undoneByLabel',
    'before|beforeHash|afterHash',
  ],
  servers: [
    'id|name|kind|enabled|account|privateAddressAllowed|callSeconds|eraAt|saidName|saidVersion|protocol|checkedAt|downSince|createdByLabel|createdAt|updatedAt',
    'url|command|cwd|includeTools|excludeTools|headersSecretId|headerNames|variablesSecretId|variableNames|clientId|clientSecretId|era|trouble|problems',
  ],
  remote_tools: [
    'id|serverId|remoteName|name|seenAt|unusable|firstSeenAt|goneAt|acceptedAt|acceptedByLabel|alias|description|effect|dataClass|requiresAdmin',
    'seen|seenHash|accepted|acceptedHash|look|pin',
  ],
  audit_entries: [
    'id|at|actorId|actorLabel|action|objectType|objectId|reason|count|lastAt',
    'before|after|ipAddress|refusalKey',
  ],
  log_entries: ['id|at|level|source|incidentId', 'message|ipAddress|userId|payload'],
  hosts: ['id|name|privateAddressAllowed|note|enabled|createdByLabel|createdAt|updatedAt'],
  search_endpoints: [
    'id|name|kind|privateAddressAllowed|enabled|createdByLabel|createdAt|updatedAt',
    'address|keySecretId',
  ],
  host_requests: ['id|origin|people|createdAt'],
  run_web_uses: ['runId|bytes|granted|hosts'],
  storages: ['id|name|largestFile|wholeSize|note|enabled|createdByLabel|createdAt|updatedAt'],
  sites: [
    'id|name|crawl|privateAddressAllowed|note|enabled|createdByLabel|createdAt|updatedAt',
    'address|sitemap',
  ],
  site_groups: ['siteId|groupId'],
  site_checks: ['siteId|at|pages|source|ms', 'trouble'],
  storage_groups: ['storageId|groupId'],
  assets: [
    'uid|storageId|path|title|alternativeText|mediaType|bytes|width|height|createdByLabel|createdAt|modifiedAt|deletedAt',
    'checksum|contentSha256',
  ],
  settings: ['key|updatedAt', 'value'],
  instances: 'denied',
  policy_version: ['id|version|freezes', 'lastFreeze'],
  programs: [
    'id|name|network|seconds|memory|accepted|note|enabled|createdByLabel|createdAt|updatedAt',
    'path|first|subcommands|refused|readable',
  ],
  data_sources: [
    'id|name|kind|privateAddressAllowed|note|enabled|createdByLabel|createdAt|updatedAt',
    'addressSecretId|querySecretId|shownAddress',
  ],
  data_source_groups: ['dataSourceId|groupId'],
  data_source_tables: [
    'id|dataSourceId|schema|name|columns|key|deletedColumn|ownerColumn|ownerHolds|groupsOnly|insertColumns|updateColumns|historyTable|historyKey|historyAt|historyWho|historyKind|createdByLabel|createdAt|updatedAt',
  ],
  data_source_table_groups: ['tableId|groupId'],
}

type Decision = { allowed: ReadonlySet<string>; denied: ReadonlySet<string> } | 'denied'

const closedNouns = Object.fromEntries(everyNoun.map(({ table }) => [table, 'denied'] as const))

/** Decision about each table of the console, by its name. */
export const consoleTables: ReadonlyMap<string, Decision> = new Map(
  Object.entries({ ...closedNouns, ...tables }).map(([name, decided]): [string, Decision] => {
    if (decided === 'denied') return [name, decided]
    const [allowed, denied = ''] = decided
    return [name, { allowed: namesOf(allowed), denied: namesOf(denied) }]
  }),
)

/** Returns which of these columns of a table of the console's own database can be opened. */
export function openableColumns(
  { schema, name }: { schema: string; name: string },
  columns: readonly string[],
): string[] {
  const decided = schema === 'public' ? consoleTables.get(name) : undefined
  if (decided === undefined || decided === 'denied') return []
  return columns.filter((column) => decided.allowed.has(column))
}

function namesOf(text: string): ReadonlySet<string> {
  return new Set(text.split('|').filter((word) => word !== ''))
}
