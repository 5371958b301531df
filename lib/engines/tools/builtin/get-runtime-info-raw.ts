import { z } from 'zod'
import { defineTool } from '../define-tool'
import { redactedParts } from '../left-out'
import { redactArguments } from '../redaction'

export default defineTool({
  name: 'get_runtime_info_raw',
  description:
    'Everything get_runtime_info tells, and also host name, process id, working directory, path of the Node.js ' +
    'binary and the command line (secrets in it stay redacted). Use it only when those are needed to find a fault; ' +
    'otherwise prefer get_runtime_info.',
  group: 'system',
  parameters: z.object({}),
  enabledByDefault: false,
  requiresAdmin: true,
  effect: 'read',
  trusted: true,
  dataClass: 'diagnostics',
  timeoutMs: 5_000,
  limits: [],
  example: {},
  execute: async (_, { resources }) => {
    const info = resources.runtimeInfo()
    const argv = redactArguments(info.argv, resources.environment())
    return { content: { ...info, argv }, leftOut: redactedParts(info.argv, argv) }
  },
})
