'use server'
import { reloadSkillFolder } from '@/lib/domains/skills/folder-verbs'
import {
  acceptSkillChange,
  deleteSkill,
  restoreSkillVersion,
  setSkillEnabled,
} from '@/lib/domains/skills/verbs'
import { action } from '@/lib/kernel/action'

const everywhere = { refresh: 'everything' } as const

export const readFolderAgain = action(reloadSkillFolder, everywhere)
export const switchSkill = action(setSkillEnabled, everywhere)
export const acceptChange = action(acceptSkillChange, everywhere)
export const restoreVersion = action(restoreSkillVersion, everywhere)
export const removeSkill = action(deleteSkill, { refresh: '/skills' })
