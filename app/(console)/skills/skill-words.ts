import type { PillState } from '@/components/ui/state-pill'
import type { SkillSource, SkillState } from '@/lib/skills/schemas'

export const sourceWords: Record<SkillSource, string> = {
  upload: 'Upload',
  paste: 'Pasted',
  folder: 'Folder',
}

export const stateWords: Record<SkillState, string> = {
  on: 'On',
  off: 'Off',
  changed: 'Changed on disk',
  missing: 'File missing',
}

export const statePills: Record<SkillState, PillState> = {
  on: 'ok',
  off: 'off',
  changed: 'waiting',
  missing: 'warning',
}

/** Enough of a checksum to tell two files apart by eye. */
export function shortChecksum(checksum: string): string {
  return checksum.slice(0, 12)
}
