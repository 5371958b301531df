'use server'
import { reloadSkillFolder } from '@/lib/domains/skills/folder-verbs'
import { deleteSkill } from '@/lib/domains/skills/verbs'
import { action } from '@/lib/next/action'
import { acceptSkill, restoreSkill, turnSkill } from '@/lib/nouns'

const everywhere = { refresh: 'everything' } as const

export const readFolderAgain = action(reloadSkillFolder, everywhere)
export const switchSkill = action(turnSkill, everywhere)
export const acceptChange = action(acceptSkill, everywhere)
export const restoreVersion = action(restoreSkill, everywhere)
export const removeSkill = action(deleteSkill, { refresh: '/skills' })
