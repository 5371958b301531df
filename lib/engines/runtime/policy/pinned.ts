import type { Gate } from './subject'

/** Gate 10: a remote tool that is not what an admin accepted any more. */
export const pinned: Gate = {
  name: 'pinned',
  denies: (tool, { unpinned }) =>
    unpinned.has(tool.name)
      ? 'Its server changed the definition after an admin accepted it. Accept the new definition first.'
      : null,
}
