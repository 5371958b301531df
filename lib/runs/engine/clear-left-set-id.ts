import 'server-only'
import { clearSetIdFiles } from '@/lib/engines/programs/set-id-files'
import { db } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'

/**
 * Takes set-id bits from files of the workspaces that tools may write, as the end of a call does: a server that was killed, or
 * an older version, may have left some.
 */
export async function clearLeftSetId(): Promise<void> {
  if (process.platform !== 'linux') return
  for (const { name, realFolder } of await db().workspace.findMany({ where: { writable: true } })) {
    const cleared = await clearSetIdFiles(realFolder).catch(() => 0)
    if (cleared > 0)
      log.warn({ source: 'tools', workspace: name, cleared }, 'Set-id bits of files were removed')
  }
}
