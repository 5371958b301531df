/**
 * Way in which rows of a deciding table are written. `in-policy-change`: with the policy lock (`changePolicy`), so that
 * starts wait. `new-rows-freely`: a new row decides nothing until something names it. `freely`: the raised version is
 * enough.
 */
type Written = 'in-policy-change' | 'new-rows-freely' | 'freely'

export type DecidingTable = {
  /** Its name in the database client. */
  model: string
  written: Written
  /** A new row changes no decision until a row of another deciding table names it. */
  newRowsDecideNothing?: true
  /** The columns that decide; left out = all. `id` never changes. */
  columns?: readonly string[]
  /** The rows that decide, of a table whose rows have keys. */
  keys?: readonly string[]
}

/**
 * Everything that decisions are made from, or that runs begin with, by the name of its table. Each change of it raises the
 * version of the policy, whoever makes it and by whatever statement: what engines remember counts only while the version
 * is the one they remember (SPEC G-F, G-R). The triggers that do so, and the types of transactions, are made from this list.
 */
export const decidingTables = {
  api_keys: {
    model: 'apiKey',
    written: 'new-rows-freely',
    newRowsDecideNothing: true,
    // The validity of a key is checked by each request, and by the statement that stores a run.
    columns: ['name', 'limits'],
  },
  approval_rules: { model: 'approvalRule', written: 'in-policy-change' },
  // Tools read the rest of a channel at each call.
  channels: { model: 'channel', written: 'freely', columns: ['enabled', 'runMessages'] },
  // Tokens are renewed all the time; whether there is an account that works decides.
  connected_accounts: {
    model: 'connectedAccount',
    written: 'freely',
    columns: ['serverId', 'owner', 'usable'],
  },
  configuration_fallbacks: { model: 'configurationFallback', written: 'in-policy-change' },
  configuration_groups: { model: 'configurationGroup', written: 'in-policy-change' },
  configuration_skills: { model: 'configurationSkill', written: 'in-policy-change' },
  configurations: {
    model: 'configuration',
    written: 'new-rows-freely',
    newRowsDecideNothing: true,
  },
  connections: {
    model: 'connection',
    written: 'new-rows-freely',
    newRowsDecideNothing: true,
    // Results of tests and the last use are left out: they change all the time.
    columns: [
      'name',
      'wire',
      'baseUrl',
      'organisation',
      'settings',
      'trustZone',
      'enabled',
      'secretId',
      'pooled',
      'headerNames',
      'headersSecretId',
      'privateAddressAllowed',
      'connectTimeoutMs',
      'firstByteTimeoutMs',
      'idleTimeoutMs',
      'maxTries',
    ],
  },
  // Which tables are open, and to whom, is asked by the tools, at each call.
  data_sources: { model: 'dataSource', written: 'freely', columns: ['enabled'] },
  group_members: { model: 'groupMember', written: 'in-policy-change' },
  groups: {
    model: 'group',
    written: 'new-rows-freely',
    newRowsDecideNothing: true,
    columns: ['name', 'limits'],
  },
  // Tools read the rest of a host at each call.
  hosts: { model: 'host', written: 'freely', columns: ['enabled'] },
  model_prices: { model: 'modelPrice', written: 'freely' },
  models: { model: 'model', written: 'new-rows-freely', newRowsDecideNothing: true },
  remote_tools: {
    model: 'remoteTool',
    written: 'new-rows-freely',
    newRowsDecideNothing: true,
    columns: ['serverId', 'name', 'seenHash', 'unusable', 'acceptedHash', 'goneAt', 'look', 'pin'],
  },
  // Tools read the rest of a program at each call.
  programs: { model: 'program', written: 'freely', columns: ['enabled'] },
  // Tools read the rest of a search endpoint at each call.
  search_endpoints: { model: 'searchEndpoint', written: 'freely', columns: ['enabled'] },
  // Starts of schedules are decided from these.
  schedules: {
    model: 'schedule',
    written: 'freely',
    newRowsDecideNothing: true,
    columns: [
      'prompt',
      'taskId',
      'variables',
      'configurationId',
      'userId',
      'cron',
      'timeZone',
      'missed',
      'createdById',
      'authors',
      'consentHash',
      'consentGiven',
      'consentTools',
    ],
  },
  servers: {
    model: 'server',
    written: 'new-rows-freely',
    newRowsDecideNothing: true,
    columns: ['name', 'enabled', 'callSeconds', 'account'],
  },
  settings: {
    model: 'setting',
    written: 'in-policy-change',
    keys: ['freeze', 'approvalLifetimeMs'],
  },
  // Its groups and contents are checked by the tools, at each call.
  sites: { model: 'site', written: 'freely', columns: ['enabled'] },
  skill_versions: { model: 'skillVersion', written: 'in-policy-change' },
  skills: { model: 'skill', written: 'in-policy-change', newRowsDecideNothing: true },
  // Its groups are checked by the tools, at each call.
  storages: { model: 'storage', written: 'freely', columns: ['enabled'] },
  task_skills: { model: 'taskSkill', written: 'in-policy-change' },
  tasks: { model: 'task', written: 'new-rows-freely', newRowsDecideNothing: true },
  tool_approvals: { model: 'toolApproval', written: 'in-policy-change' },
  tool_groups_off: { model: 'toolGroupOff', written: 'in-policy-change' },
  tool_limits: { model: 'toolLimit', written: 'in-policy-change' },
  tool_overrides: { model: 'toolOverride', written: 'in-policy-change' },
  users: {
    model: 'user',
    written: 'new-rows-freely',
    newRowsDecideNothing: true,
    columns: ['email', 'role', 'disabledAt', 'deletedAt', 'accessEpoch'],
  },
  // Its groups are checked by the tools, at each call.
  workspaces: { model: 'workspace', written: 'freely', columns: ['enabled'] },
} as const satisfies Record<string, DecidingTable>

type Tables = typeof decidingTables
type WrittenAs<W extends Written> = Extract<Tables[keyof Tables], { written: W }>['model']

/** Tables that an audited change writes only inside a change of the policy. */
export type DecidingPart = WrittenAs<'in-policy-change'>
/** Tables that an audited change may add rows to, and changes only inside a change of the policy. */
export type DecidingNoun = WrittenAs<'new-rows-freely'>
/** The settings that decide. */
export type DecidingSetting = Tables['settings']['keys'][number]

type Trigger = { table: string; name: string; sql: string }

/** Returns the triggers that raise the version of the policy, as PostgreSQL writes them (`pg_get_triggerdef`). */
export function policyTriggers(tables: Record<string, DecidingTable> = decidingTables): Trigger[] {
  return Object.entries(tables).flatMap(([table, { columns, keys, newRowsDecideNothing }]) => {
    if (keys) return keyTriggers(table, keys)
    const update = columns ? `UPDATE OF ${columns.map(quoted).join(', ')}` : 'UPDATE'
    const events = [...(newRowsDecideNothing ? [] : ['INSERT']), 'DELETE', update, 'TRUNCATE']
    return trigger(table, 'policy_changed', `AFTER ${events.join(' OR ')}`, 'STATEMENT')
  })
}

function keyTriggers(table: string, keys: readonly string[]): Trigger[] {
  const list = keys.map((key) => `'${key}'::text`).join(', ')
  const when = (row: string) => `ROW WHEN (${row}.key = ANY (ARRAY[${list}]))`
  return [
    ...trigger(table, 'policy_changed', 'AFTER INSERT OR UPDATE', when('new')),
    ...trigger(table, 'policy_removed', 'AFTER DELETE', when('old')),
  ]
}

function trigger(table: string, name: string, events: string, each: string): Trigger[] {
  const start = `CREATE TRIGGER ${name} ${events} ON ${table}`
  return [{ table, name, sql: `${start} FOR EACH ${each} EXECUTE FUNCTION raise_policy_version()` }]
}

function quoted(column: string): string {
  return /^[a-z_]+$/.test(column) ? column : `"${column}"`
}
