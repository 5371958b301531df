import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import { db } from '@/lib/kernel/db'

/** `toolName` null = the server has the beginning of the name, and no tool of the whole one. */
const Found = z.object({ serverId: z.string(), toolName: z.string().nullable() })

export const serverOfTool = verb({
  name: 'server.of-tool',
  role: 'admin',
  scope: null,
  summary: 'Finds the server whose tool has this name, had it, or would begin with it.',
  input: z.object({ toolName: z.string().max(200) }),
  output: Found.nullable(),
  transaction: false,
  run: async (_context, { toolName }) => {
    const tool = await db().remoteTool.findUnique({
      where: { name: toolName },
      select: { serverId: true },
    })
    if (tool) return { serverId: tool.serverId, toolName }
    const [prefix] = toolName.split('__')
    const servers = await db().server.findMany({ select: { id: true, name: true } })
    const server = servers.find(({ name }) => name.replaceAll('-', '_') === prefix)
    return server ? { serverId: server.id, toolName: null } : null
  },
})
