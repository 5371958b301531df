import 'server-only'
import { protectedReadable } from '@/lib/domains/programs/place'
import { programVerbs } from '@/lib/domains/programs/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { protectionOf } from '@/lib/kernel/protected-folders'

/**
 * Switches off the workspaces and programs that open a folder which must stay closed, such as one that was stored by an older
 * version or that this server's settings name since. The audit has the reason.
 */
export async function closeProtectedFolders(): Promise<void> {
  for (const { id, name, realFolder } of await db().workspace.findMany({ where: on })) {
    const reason = await protectionOf(realFolder, 'workspace')
    if (reason === null) continue
    await workspaceVerbs.update(systemCtx(), { id, enabled: false, reason })
    log.warn({ source: 'tools', workspace: name, reason }, 'A workspace was switched off')
  }
  for (const { id, name, readable } of await db().program.findMany({ where: on })) {
    const reason = await protectedReadable(readable)
    if (reason === null) continue
    await programVerbs.update(systemCtx(), { id, enabled: false, reason })
    log.warn({ source: 'tools', program: name, reason }, 'A program was switched off')
  }
}

const on = { enabled: true }
