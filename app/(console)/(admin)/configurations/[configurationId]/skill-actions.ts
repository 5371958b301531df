'use server'
import {
  attachSkill,
  detachSkill,
  moveAttachedSkill,
  setAttachedSkillEnabled,
  setConfigurationSkills,
} from '@/lib/domains/skills/attachments'
import { action } from '@/lib/kernel/action'

const page = {
  refresh: ({ configurationId }: { configurationId: string }) =>
    `/configurations/${configurationId}` as const,
}

export const addSkillHere = action(attachSkill, page)
export const removeSkillHere = action(detachSkill, page)
export const switchSkillHere = action(setAttachedSkillEnabled, page)
export const moveSkillHere = action(moveAttachedSkill, page)
export const setSkillsHere = action(setConfigurationSkills, page)
