import { type Ctx, requireRole } from '../../kernel/context'
import { env } from '../../kernel/env'
import { ConflictError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { applyFolder, type FolderReport } from './apply-folder'
import { readSkillFolder } from './read-folder'

/**
 * Reads the skills folder again: new files are added, changed ones wait for an admin, and what is gone no longer
 * counts. ConflictError when no folder is set, UnavailableError when it cannot be read; nothing changes then. Admins
 * only; at its start the installation itself.
 */
export async function reloadSkillFolder(ctx: Ctx): Promise<FolderReport> {
  requireRole(ctx, 'admin')
  const folder = env().TOOLGATE_SKILLS_DIR
  if (folder === undefined) {
    throw new ConflictError(
      'There is no skills folder. Set TOOLGATE_SKILLS_DIR to one and restart Toolgate.',
    )
  }
  const found = await readSkillFolder(folder)
  return changePolicy((tx) => applyFolder(tx, ctx, found))
}
