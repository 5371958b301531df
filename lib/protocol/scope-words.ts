import type { ApiScope, NounScope } from './api-scope'
import { everyNoun } from './nouns'

const nounWords = Object.fromEntries(
  everyNoun.flatMap(({ nouns, allows: { read, write } }) => [
    [`${nouns}:read`, read],
    [`${nouns}:write`, write],
  ]),
  // Object.fromEntries loses the keys.
) as Record<NounScope, string>

/** Sentences without a full stop that say what each scope allows. */
export const scopeWords: Readonly<Record<ApiScope, string>> = {
  ...nounWords,
  'runs:write': 'Start and stop runs',
  'runs:read': 'List and read runs',
  'approvals:read': 'List calls waiting for approval',
  'approvals:write': 'Approve and deny calls',
  'memory:read': 'Read what runs remember for you',
  'memory:write': 'Change and delete what runs remember for you',
  'checks:read': 'List and read checks and their results',
  'checks:write': 'Save, change and delete checks',
  'accounts:read': 'Read which MCP servers your account is connected with',
  'accounts:write': 'Bring tokens for your accounts at MCP servers, and disconnect them',
  'tools:read': 'List and explain tools, read the freeze state',
  'tools:write': 'Switch tools and groups, freeze the site',
  'connections:read': 'List and read connections, never their keys',
  'connections:write': 'Add, change and test connections, and replace keys',
  'models:read': 'List and read models with their prices',
  'models:write': 'Set prices of models',
  'configurations:read': 'List and read configurations',
  'configurations:write': 'Add and change configurations',
  'skills:read': 'List and read skills',
  'skills:write': 'Add, switch and attach skills',
  'usage:read': 'Read usage: model requests and their cost',
  'settings:read': 'Read the settings of the site',
  'settings:write': 'Change the settings of the site',
  'api-keys:read': 'List API keys, never the keys themselves',
  'api-keys:write': 'Limit other API keys to tools and configurations',
}
