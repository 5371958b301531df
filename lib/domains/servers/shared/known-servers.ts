/** A value that a person gives. `name`: of the header or variable; in the command, what its last word is. */
type Asked =
  | { in: 'headers'; name: string; begins: string; what: string }
  | { in: 'variables'; name: string; what: string }
  | { in: 'command'; what: string }

/**
 * A well-known MCP server that can be added without typing its address or command. `asks` is what its form leaves empty;
 * `source` is the page on which all of this was read, on `checkedOn`.
 */
export type KnownServer = {
  /** The name that a new server gets at first. */
  name: string
  title: string
  does: string
  reached: { kind: 'http'; url: string } | { kind: 'stdio'; command: string }
  asks: readonly Asked[]
  /** Each person signs in there with their own account. */
  signsIn?: true
  source: string
  checkedOn: string
}

const checkedOn = '2026-11-26'

const program = (command: string) => ({ reached: { kind: 'stdio', command }, checkedOn }) as const
const address = (url: string) => ({ reached: { kind: 'http', url }, checkedOn }) as const
const token = (what: string) =>
  [{ in: 'headers', name: 'Authorization', begins: 'Bearer ', what }] as const
const variable = (name: string, what: string) => [{ in: 'variables', name, what }] as const
const reference = (name: string) =>
  `https://github.com/modelcontextprotocol/servers/tree/main/src/${name}`

export const knownServers: readonly KnownServer[] = [
  {
    name: 'brave-search',
    title: 'Brave Search',
    does: 'Searches the web, news, images and places with Brave.',
    ...program('npx -y @brave/brave-search-mcp-server --transport stdio'),
    asks: variable('BRAVE_API_KEY', 'a key of the Brave Search API'),
    source: 'https://github.com/brave/brave-search-mcp-server',
  },
  {
    name: 'context7',
    title: 'Context7',
    does: 'Finds current documentation and examples of software libraries.',
    ...address('https://mcp.context7.com/mcp'),
    asks: [
      { in: 'headers', name: 'CONTEXT7_API_KEY', begins: '', what: 'a key from context7.com' },
    ],
    source: 'https://context7.mintlify.dev/docs/resources/all-clients',
  },
  {
    name: 'deepwiki',
    title: 'DeepWiki',
    does: 'Answers questions about public GitHub repositories from their documentation.',
    ...address('https://mcp.deepwiki.com/mcp'),
    asks: [],
    source: 'https://docs.devin.ai/work-with-devin/deepwiki-mcp',
  },
  {
    name: 'everything',
    title: 'Everything',
    does: 'Tries out all parts of the protocol; for tests, not for work.',
    ...program('npx -y @modelcontextprotocol/server-everything'),
    asks: [],
    source: reference('everything'),
  },
  {
    name: 'fetch',
    title: 'Fetch',
    does: 'Reads web pages as text.',
    ...program('uvx mcp-server-fetch'),
    asks: [],
    source: reference('fetch'),
  },
  {
    name: 'filesystem',
    title: 'Filesystem',
    does: 'Reads, writes and searches files in the folders that it is given.',
    ...program('npx -y @modelcontextprotocol/server-filesystem'),
    asks: [{ in: 'command', what: 'the folders that it may use' }],
    source: reference('filesystem'),
  },
  {
    name: 'git',
    title: 'Git',
    does: 'Reads and changes a Git repository on this machine.',
    ...program('uvx mcp-server-git --repository'),
    asks: [{ in: 'command', what: 'the folder of the repository' }],
    source: reference('git'),
  },
  {
    name: 'github',
    title: 'GitHub',
    does: 'Works with repositories, issues, pull requests and workflows on GitHub.',
    ...address('https://api.githubcopilot.com/mcp/'),
    asks: token('a personal access token of GitHub'),
    source: 'https://github.com/github/github-mcp-server',
  },
  {
    name: 'hugging-face',
    title: 'Hugging Face',
    does: 'Searches models, datasets, papers and Spaces on Hugging Face.',
    ...address('https://huggingface.co/mcp'),
    asks: token('an access token of Hugging Face'),
    source: 'https://github.com/huggingface/hf-mcp-server',
  },
  {
    name: 'linear',
    title: 'Linear',
    does: 'Finds, makes and changes issues, projects and comments in Linear.',
    ...address('https://mcp.linear.app/mcp'),
    checkedOn: '2026-11-30',
    asks: [],
    signsIn: true,
    source: 'https://linear.app/docs/mcp',
  },
  {
    name: 'memory',
    title: 'Memory',
    does: 'Keeps facts about people and things in a graph, in a file on this machine.',
    ...program('npx -y @modelcontextprotocol/server-memory'),
    asks: [],
    source: reference('memory'),
  },
  {
    name: 'microsoft-learn',
    title: 'Microsoft Learn',
    does: 'Searches and reads the documentation of Microsoft.',
    ...address('https://learn.microsoft.com/api/mcp'),
    asks: [],
    source: 'https://learn.microsoft.com/en-us/training/support/mcp',
  },
  {
    name: 'notion',
    title: 'Notion',
    does: 'Searches, reads and writes pages and databases in Notion.',
    ...program('npx -y @notionhq/notion-mcp-server'),
    asks: variable('NOTION_TOKEN', 'the secret of an integration of Notion'),
    source: 'https://github.com/makenotion/notion-mcp-server',
  },
  {
    name: 'playwright',
    title: 'Playwright',
    does: 'Opens web pages in a browser on this machine, clicks, types and reads.',
    ...program('npx -y @playwright/mcp --headless'),
    asks: [],
    source: 'https://github.com/microsoft/playwright-mcp',
  },
  {
    name: 'sentry',
    title: 'Sentry',
    does: 'Finds errors, issues and projects in Sentry.',
    ...program('npx -y @sentry/mcp-server'),
    asks: variable('SENTRY_ACCESS_TOKEN', 'a user auth token of Sentry'),
    source: 'https://www.npmjs.com/package/@sentry/mcp-server',
  },
  {
    name: 'sequential-thinking',
    title: 'Sequential Thinking',
    does: 'Lets a model write down and revise its steps while it works on a problem.',
    ...program('npx -y @modelcontextprotocol/server-sequential-thinking'),
    asks: [],
    source: reference('sequentialthinking'),
  },
  {
    name: 'time',
    title: 'Time',
    does: 'Tells the time in a time zone, and converts times between zones.',
    ...program('uvx mcp-server-time'),
    asks: [],
    source: reference('time'),
  },
]
