import { z } from 'zod'
import { defineTool } from '../define-tool'
import { environmentResult } from '../redaction'

export default defineTool({
  name: 'get_env',
  description:
    'Lists the environment variables of the Toolgate server process by name, sorted. Plain settings such as NODE_ENV, ' +
    'PORT, TZ or LOG_LEVEL show their value; anything that is or looks like a secret, a path or a host name shows ' +
    '"[redacted: why]" instead, and an empty string means set but empty. Use it to check whether a variable is set.',
  group: 'system',
  parameters: z.object({}),
  enabledByDefault: true,
  requiresAdmin: true,
  effect: 'read',
  trusted: true,
  dataClass: 'internal-config',
  timeoutMs: 5_000,
  limits: [],
  example: {},
  execute: async (_, { resources }) => environmentResult(resources.environment(), 'careful'),
})
