'use server'
import {
  detachSkill,
  moveAttachedSkill,
  setConfigurationSkills,
} from '@toolgate/server/domains/skills/attachments'
import { addSkill, switchAddedSkill } from '@toolgate/server/joined-verbs'
import { action } from '@/lib/next/action'

const page = {
  refresh: ({ configurationId }: { configurationId: string }) =>
    `/configurations/${configurationId}` as const,
}

export const addSkillHere = action(addSkill, page)
export const removeSkillHere = action(detachSkill, page)
export const switchSkillHere = action(switchAddedSkill, page)
export const moveSkillHere = action(moveAttachedSkill, page)
export const setSkillsHere = action(setConfigurationSkills, page)
