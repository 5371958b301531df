import { z } from 'zod'
import { defineTool } from '../define-tool'

export default defineTool({
  name: 'get_runtime_info',
  isPlain: true,
  description:
    'Tells what the Toolgate server runs on: Toolgate and Node.js version, operating system, CPU architecture and ' +
    'count, uptime in seconds and memory in bytes. Use it for questions about versions, load or uptime. It tells no ' +
    'paths, command line, host name or process id.',
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
  execute: async (_, { resources }) => {
    const { toolgateVersion, nodeVersion, platform, arch, uptimeSeconds, memory, cpus } =
      resources.runtimeInfo()
    return {
      content: { toolgateVersion, nodeVersion, platform, arch, uptimeSeconds, memory, cpus },
    }
  },
})
