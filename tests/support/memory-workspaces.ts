import type { UsableWorkspace, WorkspaceResources } from '@/lib/engines/tools/tool-resources'

type Kept = Parameters<WorkspaceResources['keepVersion']>[0]

/** Returns workspaces in memory. `kept`: the writes that can be undone; with `fails`, none can be kept. */
export function memoryWorkspaces(usable: readonly UsableWorkspace[]) {
  const kept: Kept[] = []
  const site = {
    kept,
    fails: false,
    list: async () => usable.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    keepVersion: async (write: Kept) => {
      if (site.fails) throw new Error('The disk is full.')
      kept.push(write)
      return { forget: async () => void kept.splice(kept.indexOf(write), 1) }
    },
  }
  return site
}
