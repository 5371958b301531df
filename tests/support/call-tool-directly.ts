import { bindTool } from '@/lib/engines/tools/bind-tool'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import type { ToolResources } from '@/lib/engines/tools/tool-resources'
import type { Actor, ToolResult } from '@/lib/protocol/tool'
import { memoryResources } from './memory-resources'

const admin: Actor = {
  userId: '0198a000-0000-7000-8000-000000000001',
  email: 'admin@example.com',
  role: 'admin',
}

/** Parses and executes one call without gates or a run. Rejects with the issues when the arguments are refused. */
export async function callToolDirectly(
  definition: ToolDefinition,
  args: unknown,
  resources: Partial<ToolResources> = {},
  signal: AbortSignal = new AbortController().signal,
  tell?: (text: string) => void,
): Promise<ToolResult> {
  const tool = bindTool(definition, () => memoryResources(resources))
  const parsed = tool.parse(args)
  if (!parsed.ok) throw new Error(parsed.issues.join(' '))
  return tool.execute(parsed.args, {
    signal,
    actor: admin,
    runId: 'run',
    configurationId: 'configuration',
    callId: 'call',
    ...(tell && { tell }),
  })
}
