import { z } from 'zod'
import { defineTool } from '../define-tool'
import { environmentResult } from '../redaction'

export default defineTool({
  name: 'get_env_raw',
  description:
    'Lists the environment variables of the Toolgate server process with their real values, including paths, host ' +
    'names and long values that get_env hides. Variables that hold secrets (database address, vault key, sign-in ' +
    'secret, provider keys, passwords, tokens) and secrets inside other values stay redacted even here. Prefer get_env.',
  group: 'system',
  parameters: z.object({}),
  enabledByDefault: false,
  requiresAdmin: true,
  effect: 'read',
  trusted: true,
  dataClass: 'secret-adjacent',
  timeoutMs: 5_000,
  limits: [],
  example: {},
  execute: async (_, { resources }) => environmentResult(resources.environment(), 'raw'),
})
