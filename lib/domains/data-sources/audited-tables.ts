import { everyNoun } from '@/lib/protocol/nouns'

/**
 * Audit types of rows in the console's own tables, by the name of the table, where a row has its id in the first column
 * of its key. Other tables have no history in the audit.
 */
export const auditedTables: ReadonlyMap<string, string> = new Map([
  ...everyNoun.map(({ table, noun }) => [table, noun] as const),
  ['api_keys', 'api-key'],
  ['approvals', 'approval'],
  ['assets', 'asset'],
  ['checks', 'check'],
  ['check_runs', 'check-run'],
  ['configurations', 'configuration'],
  ['connections', 'connection'],
  ['conversations', 'conversation'],
  ['models', 'model'],
  ['run_views', 'run-view'],
  ['runs', 'run'],
  ['skills', 'skill'],
  ['tool_approvals', 'tool'],
  ['tool_groups_off', 'tool-group'],
  ['tool_limits', 'tool'],
  ['tool_overrides', 'tool'],
  ['users', 'user'],
])
