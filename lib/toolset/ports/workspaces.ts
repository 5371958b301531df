import 'server-only'
import { forgetFileVersion, keepFileVersion } from '@/lib/domains/workspaces/file-versions'
import { usableWorkspaces } from '@/lib/domains/workspaces/stored'
import { hashOf } from '@/lib/engines/tools/sandbox/text-file'
import type { WorkspaceResources } from '@/lib/engines/tools/tool-resources'
import type { Tx } from '@/lib/kernel/db'
import type { Actor } from '@/lib/protocol/tool'

/** Returns the workspaces of this installation as `actor`'s tools may use them at this moment (SPEC A2a). */
export function workspaceResources(tx: Tx, actor: Actor): WorkspaceResources {
  return {
    list: async () => {
      const rows = await usableWorkspaces(tx, actor)
      return rows.map(({ id, name, realFolder: root, writable: isWritable }) => {
        return { id, name, root, isWritable }
      })
    },
    keepVersion: async ({ before, after, ...version }) => {
      const { userId, email: userLabel } = actor
      const hashes = { beforeHash: textHash(before), afterHash: textHash(after) }
      const id = await keepFileVersion(tx, { ...version, before, ...hashes, userId, userLabel })
      return { forget: () => forgetFileVersion(tx, id) }
    },
  }
}

function textHash(text: string | null): string | null {
  return text === null ? null : hashOf(text)
}
