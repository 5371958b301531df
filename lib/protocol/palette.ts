/** The kinds of things that the command palette finds, in the order in which it shows them. */
const paletteKinds = [
  'run',
  'conversation',
  'configuration',
  'task',
  'schedule',
  'person',
  'group',
  'connection',
  'model',
  'skill',
  'server',
  'channel',
  'workspace',
  'host',
  'search-endpoint',
  'data-source',
  'program',
  'storage',
  'site',
  'rule',
] as const
export type PaletteKind = (typeof paletteKinds)[number]

/** One thing found. `hint` tells it from others of its name; all of it may be hostile text. */
export type PaletteHit = { id: string; title: string; hint: string; href: string }

/** `more` = there are others that match, which the list at the page of this kind shows. */
export type PaletteFound = { kind: PaletteKind; hits: PaletteHit[]; more: boolean }

/** The names of a kind. These words of a query find all of its objects. */
export const kindWords: Readonly<Record<PaletteKind, readonly string[]>> = {
  run: ['run', 'runs'],
  conversation: ['conversation', 'conversations', 'chat'],
  configuration: ['configuration', 'configurations'],
  task: ['task', 'tasks', 'run'],
  schedule: ['schedule', 'schedules', 'times'],
  person: ['person', 'people', 'user', 'users', 'account'],
  group: ['group', 'groups'],
  connection: ['connection', 'connections', 'provider'],
  model: ['model', 'models'],
  skill: ['skill', 'skills'],
  server: ['server', 'servers', 'mcp'],
  channel: ['channel', 'channels'],
  workspace: ['workspace', 'workspaces', 'folder', 'files'],
  host: ['host', 'hosts', 'origin', 'web'],
  'search-endpoint': ['search', 'endpoint', 'endpoints', 'web'],
  'data-source': ['data', 'source', 'sources', 'database', 'table', 'tables'],
  program: ['program', 'programs', 'command', 'exec'],
  storage: ['storage', 'storages', 'assets', 'files'],
  site: ['site', 'sites', 'website', 'pages'],
  rule: ['rule', 'rules', 'approval'],
}
export const toolWords = ['tool', 'tools', 'switch', 'on', 'off']

/** Returns the words of a query, at most eight, in lower case. */
export function queryWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
}

/** Returns whether each word is one of `names` or in `text`. */
export function matchesWords(
  words: readonly string[],
  text: string,
  names: readonly string[] = [],
): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => names.includes(word) || lower.includes(word))
}
