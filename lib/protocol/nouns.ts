/** Names of one kind of object. Those that are stored or stand in addresses never change. */
export type Named = {
  /** In the singular: "data-source". It begins the names of verbs and of their audit rows. */
  noun: string
  /** In the plural: the address of the API, and the section of the site file. */
  nouns: string
  /** Words for people, where the noun is longer: "rule" for an approval rule. */
  words?: { one: string; many: string }
  /** Words for people alone, where commands and the API have another word: "website" for a site, which also is the installation. */
  shown?: { one: string; many: string }
  /** The address of its list on the console; left out = its plural. */
  path?: `/${string}`
}

/** Names of a noun as all parts of the console know it. */
export type NounNames = Named & {
  /** The table that holds its rows. */
  table: string
  /** The field whose value people call an object by; null = it has a title instead. */
  key: 'name' | 'identifier' | null
  /** Sentences without a full stop that say what the scopes of its plural allow: `hosts:read` and `hosts:write`. */
  allows: { read: string; write: string }
  /** True = a person confirms their identity before a change, so a limited key never has the scope for changes. */
  isSensitive: boolean
  /**
   * State of its objects after a backup is restored. `off`: they act by themselves or reach other systems, so each stays off until
   * an admin switches it on again. `as-it-was`: they do neither, or being off would open something.
   */
  afterRestore: 'off' | 'as-it-was'
  /** Words of a query that find all of them in the command palette; left out = the palette does not find them. */
  finds?: readonly string[]
}

/**
 * The nouns that are described by a resource (`lib/domains/<noun>/shape.ts`). Navigation, palette, audit and data
 * tools know them from here.
 */
export const describedNouns = {
  tasks: {
    noun: 'task',
    nouns: 'tasks',
    table: 'tasks',
    key: 'identifier',
    allows: { read: 'List and read the tasks you may run', write: 'Add tasks' },
    isSensitive: false,
    afterRestore: 'as-it-was',
    finds: ['task', 'tasks', 'run'],
  },
  schedules: {
    noun: 'schedule',
    nouns: 'schedules',
    table: 'schedules',
    key: 'name',
    allows: { read: 'List and read schedules', write: 'Add, change, run and delete schedules' },
    isSensitive: false,
    afterRestore: 'off',
    finds: ['schedule', 'schedules', 'times'],
  },
  groups: {
    noun: 'group',
    nouns: 'groups',
    table: 'groups',
    key: 'name',
    allows: {
      read: 'List groups of people with their members',
      write: 'Add, change and delete groups of people',
    },
    isSensitive: false,
    afterRestore: 'as-it-was',
    finds: ['group', 'groups'],
  },
  servers: {
    noun: 'server',
    nouns: 'servers',
    table: 'servers',
    key: 'name',
    allows: {
      read: 'Read MCP servers and their tools',
      write: 'Add, change and delete MCP servers, and accept their tools',
    },
    isSensitive: true,
    afterRestore: 'off',
    finds: ['server', 'servers', 'mcp'],
  },
  channels: {
    noun: 'channel',
    nouns: 'channels',
    table: 'channels',
    key: 'name',
    allows: {
      read: 'List and read channels, never their secrets',
      write: 'Add, change, test and delete channels',
    },
    isSensitive: true,
    afterRestore: 'off',
    finds: ['channel', 'channels'],
  },
  hosts: {
    noun: 'host',
    nouns: 'hosts',
    path: '/resources/hosts',
    table: 'hosts',
    key: 'name',
    allows: {
      read: 'List and read the hosts that tools may read',
      write: 'Add, change and delete these hosts',
    },
    isSensitive: true,
    afterRestore: 'off',
    finds: ['host', 'hosts', 'origin', 'web'],
  },
  searchEndpoints: {
    noun: 'search-endpoint',
    nouns: 'search-endpoints',
    words: { one: 'search endpoint', many: 'search endpoints' },
    path: '/resources/search-endpoints',
    table: 'search_endpoints',
    key: 'name',
    allows: {
      read: 'List and read search endpoints, never their keys',
      write: 'Add, change, test and delete search endpoints',
    },
    isSensitive: true,
    afterRestore: 'off',
    finds: ['search', 'endpoint', 'endpoints', 'web'],
  },
  workspaces: {
    noun: 'workspace',
    nouns: 'workspaces',
    path: '/resources/workspaces',
    table: 'workspaces',
    key: 'name',
    allows: {
      read: 'List workspaces and what tools wrote there',
      write: 'Add workspaces to read, delete workspaces, and undo what tools wrote there',
    },
    isSensitive: true,
    afterRestore: 'as-it-was',
    finds: ['workspace', 'workspaces', 'folder', 'files'],
  },
  programs: {
    noun: 'program',
    nouns: 'programs',
    path: '/resources/programs',
    table: 'programs',
    key: 'name',
    allows: {
      read: 'List and read the programs that exec may run',
      write: 'Limit, switch off and delete these programs',
    },
    isSensitive: true,
    afterRestore: 'as-it-was',
    finds: ['program', 'programs', 'command', 'exec'],
  },
  dataSources: {
    noun: 'data-source',
    nouns: 'data-sources',
    words: { one: 'data source', many: 'data sources' },
    path: '/resources/data-sources',
    table: 'data_sources',
    key: 'name',
    allows: {
      read: 'List and read data sources and their opened tables, never their records',
      write: 'Add, change and delete data sources, and open and close tables',
    },
    isSensitive: true,
    afterRestore: 'off',
    finds: ['data', 'source', 'sources', 'database', 'table', 'tables'],
  },
  storages: {
    noun: 'storage',
    nouns: 'storages',
    path: '/resources/storages',
    table: 'storages',
    key: 'name',
    allows: {
      read: 'List and read storages and their assets',
      write: 'Add, change and delete storages and their assets',
    },
    isSensitive: true,
    afterRestore: 'as-it-was',
    finds: ['storage', 'storages', 'assets', 'files'],
  },
  sites: {
    noun: 'site',
    nouns: 'sites',
    shown: { one: 'website', many: 'websites' },
    path: '/resources/sites',
    table: 'sites',
    key: 'name',
    allows: {
      read: 'List and read websites whose pages tools may read',
      write: 'Add, change, check and delete websites',
    },
    isSensitive: true,
    afterRestore: 'off',
    finds: ['site', 'sites', 'website', 'pages'],
  },
  approvalRules: {
    noun: 'approval-rule',
    nouns: 'approval-rules',
    words: { one: 'rule', many: 'rules' },
    path: '/approvals/rules',
    table: 'approval_rules',
    key: 'name',
    allows: { read: 'List rules', write: 'Add, change and delete rules' },
    isSensitive: false,
    afterRestore: 'as-it-was',
    finds: ['rule', 'rules', 'approval'],
  },
  budgets: {
    noun: 'budget',
    nouns: 'budgets',
    table: 'budgets',
    key: null,
    allows: { read: 'List budgets and their usage', write: 'Add, change and delete budgets' },
    isSensitive: false,
    afterRestore: 'as-it-was',
  },
  policyCases: {
    noun: 'policy-case',
    nouns: 'policy-cases',
    words: { one: 'policy case', many: 'policy cases' },
    path: '/tools/policy-cases',
    table: 'policy_cases',
    key: 'name',
    allows: {
      read: 'List and read policy cases, and whether they pass',
      write: 'Add, change and delete policy cases',
    },
    isSensitive: false,
    afterRestore: 'as-it-was',
    finds: ['policy', 'case', 'cases', 'checks'],
  },
} as const satisfies Record<string, NounNames>

export type NounKey = keyof typeof describedNouns

/** The described nouns, in the order of the tabs of Resources. */
export const everyNoun: readonly NounNames[] = Object.values(describedNouns)

/** Returns the keys of the described nouns that are not among `keys`, in the order of the list. */
export function nounsBeside(keys: readonly NounKey[]): NounKey[] {
  const all = Object.keys(describedNouns) as NounKey[]
  return all.filter((key) => !keys.includes(key))
}

/** Returns what people call the objects of a noun, one and many of them. */
export function wordsOf(named: Named): { one: string; many: string } {
  return named.shown ?? keysOf(named)
}

/** Returns what commands and the API call the objects of a noun, one and many of them. */
export function keysOf({ noun, nouns, words }: Named): { one: string; many: string } {
  return words ?? { one: noun, many: nouns }
}

/** Returns what the navigation and its list are called: "Search endpoints". */
export function headingOf(named: Named): string {
  const { many } = wordsOf(named)
  return `${many.charAt(0).toUpperCase()}${many.slice(1)}`
}

/** Returns the address of a noun's list on the console, below which the pages of its objects are. */
export function pathOf({ nouns, path }: Pick<Named, 'nouns' | 'path'>): `/${string}` {
  return path ?? `/${nouns}`
}

/** The nouns whose lists are tabs of the page Resources. */
export const resourceNouns = everyNoun.filter((each) => pathOf(each).startsWith('/resources/'))
